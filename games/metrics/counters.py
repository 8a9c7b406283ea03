"""What is counted of games: commands by outcome, conflicts, appends and their batches, and the games under way."""

import contextlib
import time
from collections import Counter as SharedCounter
from collections.abc import Iterable, Iterator
from typing import Any

import redis
from django.db import Error, connection
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

COMMANDS = Counter("qwixx_commands", "Commands by what became of them.", ["outcome"])
CONFLICTS = Counter("qwixx_conflicts", "Commands that were decided again because another process was faster.")
APPEND_SECONDS = Histogram(
    "qwixx_append_seconds",
    "One batch of commands, from its start to its commit.",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
BATCH_SIZE = Histogram("qwixx_append_batch", "Commands in one batch.", buckets=(1, 2, 4, 8, 16, 32, 64, 128))
OUTCOMES = {"ok": "stored", "duplicate": "repeated", "missing": "refused", "revoked": "refused", "failed": "failed"}
_CHILDREN = {status: COMMANDS.labels(outcome) for status, outcome in OUTCOMES.items()}


class Often:
    """A counter of what happens so often that the library's own, with its lock and its checks, would be felt: added up
    here, and handed on whenever somebody looks, and every few seconds."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._more = 0

    def inc(self, number: int = 1) -> None:
        self._more += number

    def hand_on(self) -> None:
        more, self._more = self._more, 0
        self._counter.inc(more)


SOCKETS = Gauge("qwixx_sockets", "Open WebSockets.", ["kind"], multiprocess_mode="livesum")
FRAMES = Counter("qwixx_frames", "Frames of WebSockets.", ["direction"])
FRAMES_IN, FRAMES_OUT = Often(FRAMES.labels("in")), Often(FRAMES.labels("out"))
RESUMES = Counter("qwixx_stream_resumes", "Streams that went on from a version the client had.")
HOLES = Counter("qwixx_stream_holes", "Events that nobody had told of, read from the log.")
CLOSED = Counter("qwixx_sockets_closed", "WebSockets that were closed by the service, by code.", ["code"])
SEND_SECONDS = Histogram(
    "qwixx_stream_send_seconds",
    "From the commit of events to the last write to a socket of this process, by where they were committed.",
    ["origin"],
    buckets=(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
SENT_FROM_HERE, SENT_FROM_ELSEWHERE = SEND_SECONDS.labels("here"), SEND_SECONDS.labels("elsewhere")

QUEUES = ("celery", "time", "bots")  # Celery's: whatever else there is to do, deadlines, bots
OVERDUE = "SELECT count(*) FROM games_game WHERE deadline_at < now() - interval '2 seconds'"
UNDER_WAY = "SELECT status, count(*) FROM games_game WHERE status IN ('open', 'playing') GROUP BY status"


def appended(statuses: Iterable[str], seconds: float) -> None:
    """One batch: what became of each command in it, and how long they all took."""
    tally = SharedCounter(statuses)
    APPEND_SECONDS.observe(seconds)
    BATCH_SIZE.observe(tally.total())
    for status, number in tally.items():
        _CHILDREN.get(status, CONFLICTS).inc(number)  # whatever has no outcome yet is decided again


def hand_on() -> None:
    for counter in (FRAMES_IN, FRAMES_OUT):
        counter.hand_on()


def refused() -> None:
    COMMANDS.labels("refused").inc()


def repeated() -> None:
    """A key that was used before, found before anything was appended."""
    _CHILDREN["duplicate"].inc()


class GamesUnderWay(Collector):
    """Asks the database when it is asked itself, at most every `lasts_s` seconds; one that is away gives no number."""

    def __init__(self, lasts_s: float = 10.0) -> None:
        self._lasts_s = lasts_s
        self._until = 0.0
        self._counts: dict[str, int] = {}

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Without numbers: to be registered it need not be able to count."""
        yield GaugeMetricFamily("qwixx_games", "Games that are open or being played.", labels=["status"])

    def collect(self) -> Iterator[GaugeMetricFamily]:
        if time.monotonic() > self._until:
            self._counts, self._until = self._counted(), time.monotonic() + self._lasts_s
        for family in self.describe():
            for status, number in self._counts.items():
                family.add_metric([status], number)
            yield family

    def _counted(self) -> dict[str, int]:
        try:
            with connection.cursor() as cursor:
                cursor.execute(UNDER_WAY)
                return {"open": 0, "playing": 0, **dict(cursor.fetchall())}
        except Error:
            return {}


class Backlog(Collector):
    """What nobody has come to yet: deadlines that passed over two seconds ago, and tasks that no worker has taken."""

    def __init__(self, redis_url: str) -> None:
        self._redis: Any = redis.Redis.from_url(redis_url, socket_timeout=2)

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
