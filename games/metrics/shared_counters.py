"""What any process counts of time and bots, added up in Redis, so that whichever web process is asked can show it.

Workers serve no HTTP. The sums are disposable: a Redis that lost them starts at nought, as a process would.
"""

import bisect
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import redis
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

KEY = "qwixx:tallies"


class SharedCounter:
    """A histogram or, without buckets, a counter. Counted here at once; sent on when `flush` is called."""

    def __init__(self, name: str, meaning: str, buckets: tuple[float, ...] = ()) -> None:
        self.name, self.meaning, self.buckets = name, meaning, buckets
        self.unsent: Counter[str] = Counter()
        self._counting = threading.Lock()

    def count(self, value: float = 1.0) -> None:
        with self._counting:
            if self.buckets:
                self.unsent[f"{self.name} {bisect.bisect_left(self.buckets, value)}"] += 1
            self.unsent[f"{self.name} sum"] += value  # type: ignore[assignment]

    def taken(self) -> Counter[str]:
        with self._counting:
            taken, self.unsent = self.unsent, Counter()
        return taken

    def put_back(self, taken: Counter[str]) -> None:
        with self._counting:
            self.unsent.update(taken)

    def family(self, sums: Mapping[str, float]) -> HistogramMetricFamily | CounterMetricFamily:
        total = sums.get(f"{self.name} sum", 0.0)
        if not self.buckets:
            return CounterMetricFamily(self.name, self.meaning, value=total)
        below, cumulated = 0.0, []
        for place, bound in enumerate((*map(str, self.buckets), "+Inf")):
            below += sums.get(f"{self.name} {place}", 0.0)
            cumulated.append((bound, below))
        return HistogramMetricFamily(self.name, self.meaning, buckets=cumulated, sum_value=total)


DEADLINE_LATENESS = SharedCounter(
    "qwixx_deadline_lateness_seconds",
    "From a deadline to the commit that enforces it.",
    (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 30),
)
BOT_DECISION = SharedCounter(
    "qwixx_bot_decision_seconds",
    "What one decision of a bot takes to make, its delay apart.",
    (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25),
)
BOT_FAILURES = SharedCounter("qwixx_bot_failures", "Decisions that failed: the bot answered as silence would have.")
BOTS_LATE = SharedCounter("qwixx_bots_late", "Games whose bots the sweeper had to play because their task was lost.")
SHARED_COUNTERS = (DEADLINE_LATENESS, BOT_DECISION, BOT_FAILURES, BOTS_LATE)


async def flush(client: Any) -> None:
    """Add what was counted since the last time; what cannot be sent is kept for the next."""
    taken = [(tally, tally.taken()) for tally in SHARED_COUNTERS]
    changes = [change for _, counts in taken for change in counts.items()]
    if not changes:
        return
    try:
        async with client.pipeline(transaction=False) as pipe:
            for field, amount in changes:
                pipe.hincrbyfloat(KEY, field, amount)
            await pipe.execute()
    except (RedisError, OSError):
        for tally, counts in taken:
            tally.put_back(counts)


class SharedCounterCollector(Collector):
    """Asks Redis when it is asked itself; one that is away gives no numbers."""

    def __init__(self, redis_url: str) -> None:
        self._redis: Any = redis.Redis.from_url(redis_url, decode_responses=True, socket_timeout=2)

    def describe(self) -> Iterator[HistogramMetricFamily | CounterMetricFamily]:
        return (tally.family({}) for tally in SHARED_COUNTERS)

    def collect(self) -> Iterator[HistogramMetricFamily | CounterMetricFamily]:
        try:
            sums = {field: float(value) for field, value in self._redis.hgetall(KEY).items()}
        except (RedisError, OSError):
            return
        for tally in SHARED_COUNTERS:
            yield tally.family(sums)
