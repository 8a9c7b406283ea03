"""The pool of Django's connections to PostgreSQL as metrics, from the statistics that psycopg keeps."""

from collections.abc import Iterator
from typing import Any

from django.db import connection
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector


class DjangoPoolCollector(Collector):
    """Of this process: the engine's pools have `qwixx_pool_wait_seconds`."""

    def describe(self) -> Iterator[Metric]:
        return self._families({})

    def collect(self) -> Iterator[Metric]:
        pool: Any = connection.pool  # type: ignore[attr-defined]  # documented: OPTIONS["pool"]
        return self._families(pool.get_stats() if pool is not None else {})

    def _families(self, stats: dict[str, int]) -> Iterator[Metric]:
        size, available = stats.get("pool_size", 0), stats.get("pool_available", 0)
        yield GaugeMetricFamily("qwixx_django_connections", "Open connections of Django's pool.", value=size)
        yield GaugeMetricFamily("qwixx_django_connections_used", "Those in use.", value=size - available)
        waits = stats.get("requests_queued", 0)
        yield CounterMetricFamily("qwixx_django_pool_waits", "Requests that waited for a connection.", value=waits)
        waited_s = stats.get("requests_wait_ms", 0) / 1000
        yield CounterMetricFamily("qwixx_django_pool_wait_seconds", "How long they waited.", value=waited_s)
