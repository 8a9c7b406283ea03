"""Is the service well? Its pulse, its workers, their queues, its streams: a figure each, and whether that is well."""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

import redis
from celery import current_app
from django.conf import settings
from django.db import connection
from kombu.exceptions import KombuError
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis.exceptions import RedisError

from games.metrics import counters, shared_counters

LATE_S = 5.0  # a pulse or a sweep that is older than this is not well
MANY_TASKS = 100
MANY_HOLES = 100
PATIENCE_S = 1.0  # with workers; one that lives answers within some milliseconds

PULSE = """
SELECT extract(epoch FROM now() - at)::float, extract(epoch FROM now() - swept_at)::float FROM games_pulse
"""


class Sign(NamedTuple):
    """What, its figure, whether that is well, and in what it is: a number, seconds ago, or a word."""

    name: str
    figure: Any
    is_well: bool
    kind: str = "number"


def signs(overdue: int, outages: int) -> list[Sign]:
    with connection.cursor() as cursor:
        cursor.execute(PULSE)
        beat, swept = cursor.fetchone() or (None, None)
    return [
        Sign("overdue", overdue, overdue == 0),
        Sign("pulse", beat, is_recent(beat), "ago"),
        Sign("swept", swept, is_recent(swept), "ago"),
        Sign("outages", outages, outages == 0),
        *_workers(),
        *_streams(),
    ]


def is_recent(seconds: float | None) -> bool:
    return seconds is not None and seconds < LATE_S


def _workers() -> list[Sign]:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, decode_responses=True, socket_timeout=2) as client:
            lengths = [(queue, int(client.llen(queue))) for queue in counters.QUEUES]
            sums = {field: float(value) for field, value in client.hgetall(shared_counters.KEY).items()}
        answers = bool(current_app.control.ping(timeout=PATIENCE_S, limit=1))
    except (RedisError, KombuError, OSError):
        return [Sign("redis", "away", is_well=False, kind="word")]
    late, failed = (
        int(sums.get(f"{tally.name} sum", 0)) for tally in (shared_counters.BOTS_LATE, shared_counters.BOT_FAILURES)
    )
    return [
        Sign("workers", "answering" if answers else "silent", answers, "word"),
        *(Sign(f"tasks_{queue}", length, length < MANY_TASKS) for queue, length in lengths),
        Sign("bots_late", late, is_well=True),
        Sign("bots_failed", failed, failed == 0),
    ]


def _streams() -> list[Sign]:
    """Of all web processes where they share a folder, else of this one."""
    told: Iterable[Metric] = [m for metric in (counters.SOCKETS, counters.HOLES) for m in metric.collect()]
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        told = MultiProcessCollector(CollectorRegistry()).collect()  # type: ignore[no-untyped-call]
    sums = {"qwixx_sockets": 0.0, "qwixx_stream_holes_total": 0.0}
    for sample in (sample for metric in told for sample in metric.samples):
        if sample.name in sums:
            sums[sample.name] += sample.value
    sockets, holes = (int(number) for number in sums.values())
    return [Sign("sockets", sockets, is_well=True), Sign("holes", holes, holes < MANY_HOLES)]
