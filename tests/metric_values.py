"""Values of metrics in this process, read from the metric itself: the registry also queries the database."""

from prometheus_client import Counter

from players.telemetry.shared_counter import SharedCounter


def counted(counter: Counter, **labels: str) -> float:
    samples = [sample for metric in counter.collect() for sample in metric.samples if sample.name.endswith("_total")]
    return sum(sample.value for sample in samples if sample.labels == labels)


def taken(counter: SharedCounter) -> float:
    """The number of observations of a histogram, or the value of a counter, since it was taken last."""
    counts = counter.take()
    total = counts.pop(f"{counter.name} sum", 0)
    return sum(counts.values()) if counter.buckets else total
