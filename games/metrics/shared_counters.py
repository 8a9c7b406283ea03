"""Counters and histograms of time and bots that all processes add up in Redis and every web process can show.

prometheus_client shares numbers only between processes with one folder (PROMETHEUS_MULTIPROC_DIR); workers run in other
containers and serve no HTTP. The sums are disposable: after a loss of Redis they start at zero, as those of a process.
"""

import bisect
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from players.database.redis_servers import connect

KEY = "qwixx:shared_counters"


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


DEADLINE_LATENESS = SharedCounter(
    "qwixx_deadline_lateness_seconds",
    "From a deadline to the commit that enforces it.",
    (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 30),
)
BOT_DECISION = SharedCounter(
    "qwixx_bot_decision_seconds",
    "Time of one decision of a bot, without its delay.",
    (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25),
)
BOT_FAILURES = SharedCounter("qwixx_bot_failures", "Decisions that failed, so that a default action was taken.")
BOTS_LATE = SharedCounter("qwixx_bots_late", "Games whose bots the sweeper played because their task was lost.")
SHARED_COUNTERS = (DEADLINE_LATENESS, BOT_DECISION, BOT_FAILURES, BOTS_LATE)


async def flush(client: Any) -> None:
    """Add the counts since the last call to the sums in Redis; while Redis is away they are kept for the next call."""
    taken = [(counter, counter.take()) for counter in SHARED_COUNTERS]
    changes = [change for _, counts in taken for change in counts.items()]
    if not changes:
        return
    try:
        async with client.pipeline(transaction=False) as pipe:
            for field, amount in changes:
                pipe.hincrbyfloat(KEY, field, amount)
            await pipe.execute()
    except (RedisError, OSError):
        for counter, counts in taken:
            counter.put_back(counts)


class SharedCounterCollector(Collector):
    """Reads the sums from Redis; while Redis is away there are no numbers."""

    def __init__(self, redis_url: str) -> None:
        self._redis: Any = connect(redis_url, decode_responses=True, socket_timeout=2)

    def describe(self) -> Iterator[HistogramMetricFamily | CounterMetricFamily]:
        return (counter.family({}) for counter in SHARED_COUNTERS)

    def collect(self) -> Iterator[HistogramMetricFamily | CounterMetricFamily]:
        try:
            sums = {field: float(value) for field, value in self._redis.hgetall(KEY).items()}
        except (RedisError, OSError):
            return
        for counter in SHARED_COUNTERS:
            yield counter.family(sums)
