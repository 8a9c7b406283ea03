"""`/metrics` for Prometheus, and the histogram of HTTP requests."""

import asyncio
import contextlib
import os
from collections import deque
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from games.metrics.counters import Backlog, GamesUnderWay
from games.metrics.shared_counters import SharedCounterCollector

# Computed at every scrape, for the whole service: every process returns the same numbers.
SERVICE_COLLECTORS = (GamesUnderWay(), Backlog(settings.REDIS_URL), SharedCounterCollector(settings.REDIS_URL))
for collector in SERVICE_COLLECTORS:
    REGISTRY.register(collector)

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30)
GAMES, ID = len("/api/v1/games/"), 36

# Its `_count` is the number of requests, so no counter is needed beside it.
SECONDS = Histogram(
    "qwixx_http_request_seconds",
    "Requests, and the time from their arrival to the start of the response.",
    ["lane", "method", "route", "status"],
    buckets=BUCKETS,
)


Answer = tuple[str, str, str, int, float]  # lane, method, route or path, status, seconds
_noted: deque[Answer] = deque()
NOTED_FOR_S = 1.0


def note(answer: Answer) -> None:
    """Append to a list in the hot path; a timer updates the histogram later, for many requests at once."""
    _noted.append(answer)
    if len(_noted) == 1:
        asyncio.get_running_loop().call_later(NOTED_FOR_S, count)


def count() -> None:
    """Update the histogram with the noted requests; safe from any thread, because each note is popped once."""
    with contextlib.suppress(IndexError):
        while True:
            lane, method, route, status, seconds = _noted.popleft()
            _child(lane, method, fast_route(route) if lane == "fast" else route, status).observe(seconds)


@lru_cache(maxsize=4096)
def _child(lane: str, method: str, route: str, status: int) -> Histogram:
    """Cached, because looking up labels costs more than counting."""
    return SECONDS.labels(lane, method if method in METHODS else "other", route, status)


def fast_route(path: str) -> str:
    """The route of a path below `games/{id}`; these requests are noted with their path.

    >>> fast_route("/api/v1/games/0192f0c0-0000-7000-8000-000000000000/actions")
    '/api/v1/games/{id}/actions'
    """
    return path[:GAMES] + "{id}" + path[GAMES + ID :]


def exposition() -> tuple[bytes, str]:
    """All metrics of this process, or of all web processes if they share PROMETHEUS_MULTIPROC_DIR."""
    count()
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        for collector in SERVICE_COLLECTORS:
            registry.register(collector)
    return generate_latest(registry), CONTENT_TYPE_LATEST


@require_safe
def view(_: HttpRequest) -> HttpResponse:
    body, content_type = exposition()
    return HttpResponse(body, content_type=content_type, headers={"Cache-Control": "no-store"})
