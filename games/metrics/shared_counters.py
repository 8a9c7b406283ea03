"""Counters and histograms of workers and of time that all processes add up in Redis and every web process can show.

prometheus_client shares numbers only between processes with one folder (PROMETHEUS_MULTIPROC_DIR); workers run in other
containers and serve no HTTP. The sums are disposable: after a loss of Redis they start at zero, as those of a process.
"""

from collections.abc import Iterator
from typing import Any

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from players.mail.delivery import MAIL_FAILURES
from players.redis_servers.redis_clients import connect
from players.telemetry.shared_counter import SharedCounter

KEY = "qwixx:shared_counters"


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
MATCHMAKING_WAIT = SharedCounter(
    "qwixx_matchmaking_wait_seconds",
    "From a player's entry into the queue to the game of the match.",
    (1, 2, 5, 10, 20, 30, 60, 120, 300),
)
PROJECTION_LAG = SharedCounter(
    "qwixx_projection_lag_seconds",
    "From the end of a game to its place in ratings, statistics and leaderboards.",
    (0.5, 1, 2, 5, 10, 30, 60, 300, 900),
)
WEBHOOK_FAILURES = SharedCounter("qwixx_webhook_failures", "Attempts to send a webhook message that failed.")
SHARED_COUNTERS = (
    DEADLINE_LATENESS,
    BOT_DECISION,
    BOT_FAILURES,
    BOTS_LATE,
    MATCHMAKING_WAIT,
    PROJECTION_LAG,
    WEBHOOK_FAILURES,
    MAIL_FAILURES,
)


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
