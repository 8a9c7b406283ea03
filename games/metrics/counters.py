"""Prometheus metrics of each process: commands, conflicts, appends, sockets and frames; and the games under way."""

import collections
import contextlib
import time
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import Error, connection
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from players.redis_servers.redis_clients import connect

COMMANDS = Counter("qwixx_commands", "Commands by outcome.", ["outcome"])
CONFLICTS = Counter("qwixx_conflicts", "Commands that were decided again because another process was faster.")
APPEND_SECONDS = Histogram(
    "qwixx_append_seconds",
    "One batch of commands, from its start to its commit.",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
BATCH_SIZE = Histogram("qwixx_append_batch", "Commands in one batch.", buckets=(1, 2, 4, 8, 16, 32, 64, 128))
POOL_WAIT = Histogram(
    "qwixx_pool_wait_seconds",
    "How long the engine waited for one of its connections to PostgreSQL, with the time to open a new one.",
    buckets=(0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 3),
)
OUTCOMES = {"ok": "stored", "duplicate": "repeated", "missing": "refused", "revoked": "refused", "failed": "failed"}
_COMMANDS_BY_STATUS = {status: COMMANDS.labels(outcome) for status, outcome in OUTCOMES.items()}

SOCKETS = Gauge("qwixx_sockets", "Open WebSockets.", ["kind"], multiprocess_mode="livesum")
FRAMES = Counter("qwixx_frames", "Frames of WebSockets.", ["direction"])
FRAMES_IN, FRAMES_OUT = FRAMES.labels("in"), FRAMES.labels("out")
RESUMES = Counter("qwixx_stream_resumes", "Streams that continued from a version that the client had.")
HOLES = Counter("qwixx_stream_holes", "Events that no notification announced, read from the log.")
REJECTED = Counter("qwixx_bridge_rejected", "Messages through Redis that were not believed, by reason.", ["reason"])
CLOSED = Counter("qwixx_sockets_closed", "WebSockets that were closed by the service, by code.", ["code"])
SEND_SECONDS = Histogram(
    "qwixx_stream_send_seconds",
    "From the commit of events to the last write to a socket of this process, by where they were committed.",
    ["origin"],
    buckets=(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
SENT_FROM_HERE, SENT_FROM_ELSEWHERE = SEND_SECONDS.labels("here"), SEND_SECONDS.labels("elsewhere")

QUEUES = ("celery", "time", "bots", "webhooks")  # of Celery: other tasks, deadlines, bots, webhooks
OVERDUE = "SELECT count(*) FROM games_game WHERE deadline_at < now() - interval '2 seconds'"
UNDER_WAY = "SELECT status, count(*) FROM games_game WHERE status IN ('open', 'playing') GROUP BY status"


def appended(statuses: Iterable[str], seconds: float) -> None:
    """Count one batch: the status of each command in it, and the time that the batch took."""
    numbers = collections.Counter(statuses)
    APPEND_SECONDS.observe(seconds)
    BATCH_SIZE.observe(numbers.total())
    for status, number in numbers.items():
        _COMMANDS_BY_STATUS.get(status, CONFLICTS).inc(number)  # any other status means: decided again


def refused() -> None:
    COMMANDS.labels("refused").inc()


def repeated() -> None:
    """A command whose idempotency key was found before anything was appended."""
    _COMMANDS_BY_STATUS["duplicate"].inc()


class GamesUnderWay(Collector):
    """Counts games in the database, at most every `cache_s` seconds; without a database there is no number."""

    def __init__(self, cache_s: float = 10.0) -> None:
        self._cache_s = cache_s
        self._expires = 0.0
        self._counts: dict[str, int] = {}

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Without numbers: registration must not need a database."""
        yield GaugeMetricFamily("qwixx_games", "Games that are open or being played.", labels=["status"])

    def collect(self) -> Iterator[GaugeMetricFamily]:
        if time.monotonic() > self._expires:
            self._counts, self._expires = self._read(), time.monotonic() + self._cache_s
        for family in self.describe():
            for status, number in self._counts.items():
                family.add_metric([status], number)
            yield family

    def _read(self) -> dict[str, int]:
        try:
            with connection.cursor() as cursor:
                cursor.execute(UNDER_WAY)
                return {"open": 0, "playing": 0, **dict(cursor.fetchall())}
        except Error:
            return {}


class Backlog(Collector):
    """Work that no process has done yet: deadlines that passed over two seconds ago, and queued tasks."""

    def __init__(self, redis_url: str) -> None:
        self._redis: Any = connect(redis_url, socket_timeout=2)

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily("qwixx_overdue_games", "Games whose deadline passed over 2 s ago and was not enforced.")
        yield GaugeMetricFamily("qwixx_queue_length", "Tasks that wait for a worker.", labels=["queue"])

    def collect(self) -> Iterator[GaugeMetricFamily]:
        overdue, queues = self.describe()
        with contextlib.suppress(Error), connection.cursor() as cursor:
            cursor.execute(OVERDUE)
            overdue.add_metric([], cursor.fetchone()[0])
        with contextlib.suppress(RedisError, OSError):
            for queue in QUEUES:
                queues.add_metric([queue], self._redis.llen(queue))
        yield from (overdue, queues)
