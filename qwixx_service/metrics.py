"""What this process has done, for Prometheus: requests are counted here, commands where they are carried out."""

import os
import re
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

REQUESTS = Counter("qwixx_http_requests", "Requests answered.", ["lane", "method", "route", "status"])
SECONDS = Histogram(
    "qwixx_http_request_seconds",
    "From the arrival of a request to the start of its answer.",
    ["lane", "method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30),
)


@lru_cache(maxsize=4096)
def _children(lane: str, method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Looking up a label costs more than counting."""
    return REQUESTS.labels(lane, method, route, status), SECONDS.labels(lane, method, route)


def answered(lane: str, method: str, route: str, status: int, seconds: float) -> None:
    requests, duration = _children(lane, method if method in METHODS else "other", route, status)
    requests.inc()
    duration.observe(seconds)


@lru_cache(maxsize=4096)
def without_ids(path: str) -> str:
    """The route of a path that is known to be one of ours.

    >>> without_ids("/api/v1/games/0192f0c0-0000-7000-8000-000000000000/actions")
    '/api/v1/games/{id}/actions'
    """
    return ID.sub("{id}", path)


def exposition() -> tuple[bytes, str]:
    """All metrics of this process; of all web processes where they share a folder."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST


@require_safe
def view(_: HttpRequest) -> HttpResponse:
    body, content_type = exposition()
    return HttpResponse(body, content_type=content_type, headers={"Cache-Control": "no-store"})
