"""Health checks of the dashboard: heartbeat, workers, task queues and streams."""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from celery import current_app
from django.conf import settings
from django.db import connection
from kombu.exceptions import KombuError
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis.exceptions import RedisError

from games.metrics import counters, shared_counters
from players.redis_servers.redis_clients import connect

MAX_AGE_S = 5.0  # of the heartbeat and of the last deadline sweep
MAX_TASKS = 100
MAX_STREAM_GAPS = 100
PING_TIMEOUT_S = 1.0  # a running worker answers within milliseconds

HEARTBEAT = """
SELECT extract(epoch FROM now() - at)::float, extract(epoch FROM now() - swept_at)::float FROM games_pulse
"""


class HealthCheck(NamedTuple):
    name: str
    value: Any
    is_ok: bool
    unit: str = "number"  # or "age" in seconds, or "text"


def checks(overdue: int, outages: int) -> list[HealthCheck]:
    with connection.cursor() as cursor:
        cursor.execute(HEARTBEAT)
        heartbeat, sweep = cursor.fetchone() or (None, None)
    return [
        HealthCheck("overdue", overdue, overdue == 0),
        HealthCheck("pulse", heartbeat, is_recent(heartbeat), "age"),
        HealthCheck("swept", sweep, is_recent(sweep), "age"),
        HealthCheck("outages", outages, outages == 0),
        *_workers(),
        *_streams(),
    ]


def is_recent(age_s: float | None) -> bool:
    return age_s is not None and age_s < MAX_AGE_S


def _workers() -> list[HealthCheck]:
    try:
        with connect(settings.BROKER_URL, decode_responses=True, socket_timeout=2) as client:
            lengths = [(queue, int(client.llen(queue))) for queue in counters.QUEUES]
        with connect(settings.REDIS_URL, decode_responses=True, socket_timeout=2) as client:
            sums = {field: float(value) for field, value in client.hgetall(shared_counters.KEY).items()}
        is_answering = bool(current_app.control.ping(timeout=PING_TIMEOUT_S, limit=1))
    except (RedisError, KombuError, OSError):
        return [HealthCheck("redis", "away", is_ok=False, unit="text")]
    late, failed = (
        int(sums.get(f"{tally.name} sum", 0)) for tally in (shared_counters.BOTS_LATE, shared_counters.BOT_FAILURES)
    )
    return [
        HealthCheck("workers", "answering" if is_answering else "silent", is_answering, "text"),
        *(HealthCheck(f"tasks_{queue}", length, length < MAX_TASKS) for queue, length in lengths),
        HealthCheck("bots_late", late, is_ok=True),
        HealthCheck("bots_failed", failed, failed == 0),
    ]


def _streams() -> list[HealthCheck]:
    """Sums over all web processes if they share a metrics folder, else the numbers of this process."""
    metrics: Iterable[Metric] = [m for metric in (counters.SOCKETS, counters.HOLES) for m in metric.collect()]
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        metrics = MultiProcessCollector(CollectorRegistry()).collect()  # type: ignore[no-untyped-call]
    sums = {"qwixx_sockets": 0.0, "qwixx_stream_holes_total": 0.0}
    for sample in (sample for metric in metrics for sample in metric.samples):
        if sample.name in sums:
            sums[sample.name] += sample.value
    sockets, gaps = (int(number) for number in sums.values())
    return [HealthCheck("sockets", sockets, is_ok=True), HealthCheck("holes", gaps, gaps < MAX_STREAM_GAPS)]
