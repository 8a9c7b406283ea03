"""Metrics for Prometheus: requests are counted here, commands where they are carried out."""

import asyncio
import contextlib
import os
from collections import deque
from functools import lru_cache

from django.conf import settings
from django.db import connection
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import Response

from games import clock
from games.log.archive.partition_coverage import PartitionCollector
from games.metrics.counters import Backlog, GamesUnderWay
from games.metrics.outage_counter import OutageCollector
from games.metrics.shared_counters import SharedCounterCollector
from qwixx_service.observability.pool_metrics import DjangoPoolCollector
from qwixx_service.observability.replication_metrics import SyncStandbyCollector, WalArchiveCollector

# Collected at every scrape. They describe the whole service, in every process alike.
COLLECTORS = (
    GamesUnderWay(),
    Backlog(settings.BROKER_URL),
    OutageCollector(),
    WalArchiveCollector(),
    SyncStandbyCollector(),
    PartitionCollector(clock.now),
    SharedCounterCollector(settings.REDIS_URL),
)
for collector in (*COLLECTORS, DjangoPoolCollector()):
    REGISTRY.register(collector)

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30)

# Its `_count` is the number of requests, so no counter is needed beside it.
SECONDS = Histogram(
    "qwixx_http_request_seconds",
    "Requests answered, and the time from their arrival to the start of the answer.",
    ["handler", "method", "route", "status"],
    buckets=BUCKETS,
)

Measurement = tuple[str, str, str, int, float]  # handler, route, method, status, seconds
_measurements: deque[Measurement] = deque()
COUNT_AFTER_S = 1.0


def note(measurement: Measurement) -> None:
    """On the hot path this is an append to a list; what was noted is counted later, once a second."""
    _measurements.append(measurement)
    if len(_measurements) == 1:
        asyncio.get_running_loop().call_later(COUNT_AFTER_S, count)


def count() -> None:
    """Count what was noted so far, from any thread."""
    with contextlib.suppress(IndexError):
        while True:
            handler, route, method, status, seconds = _measurements.popleft()
            _child(handler, method, route, status).observe(seconds)


@lru_cache(maxsize=4096)
def _child(handler: str, method: str, route: str, status: int) -> Histogram:
    """Looking up a label costs more than counting."""
    return SECONDS.labels(handler, method if method in METHODS else "other", route, status)


def exposition() -> tuple[bytes, str]:
    """All metrics of this process, or of all web processes if they share PROMETHEUS_MULTIPROC_DIR."""
    count()
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        for each in COLLECTORS:
            registry.register(each)
    return generate_latest(registry), CONTENT_TYPE_LATEST


class Metrics(HTTPEndpoint):
    def get(self, _: Request) -> Response:
        """Sync: Starlette runs it in a thread, where the collectors may query the database."""
        try:
            body, content_type = exposition()
        finally:
            connection.close()
        return Response(body, headers={"Content-Type": content_type, "Cache-Control": "no-store"})
