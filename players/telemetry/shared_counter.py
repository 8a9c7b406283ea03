"""A counter or histogram of what processes without HTTP do; `games.metrics.shared_counters` adds them up in Redis."""

import bisect
import threading
from collections import Counter
from collections.abc import Mapping

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily


class SharedCounter:
    """A histogram or, without buckets, a counter; counts stay in the process until `flush` sends them to Redis."""

    def __init__(self, name: str, meaning: str, buckets: tuple[float, ...] = ()) -> None:
        self.name, self.meaning, self.buckets = name, meaning, buckets
        self._unsent: Counter[str] = Counter()
        self._lock = threading.Lock()

    def count(self, value: float = 1.0) -> None:
        with self._lock:
            if self.buckets:
                self._unsent[f"{self.name} {bisect.bisect_left(self.buckets, value)}"] += 1
            self._unsent[f"{self.name} sum"] += value  # type: ignore[assignment]

    def take(self) -> Counter[str]:
        """The counts since the last call."""
        with self._lock:
            taken, self._unsent = self._unsent, Counter()
        return taken

    def put_back(self, taken: Counter[str]) -> None:
        with self._lock:
            self._unsent.update(taken)

    def family(self, sums: Mapping[str, float]) -> HistogramMetricFamily | CounterMetricFamily:
        total = sums.get(f"{self.name} sum", 0.0)
        if not self.buckets:
            return CounterMetricFamily(self.name, self.meaning, value=total)
        below, cumulated = 0.0, []
        for index, bound in enumerate((*map(str, self.buckets), "+Inf")):
            below += sums.get(f"{self.name} {index}", 0.0)
            cumulated.append((bound, below))
        return HistogramMetricFamily(self.name, self.meaning, buckets=cumulated, sum_value=total)
