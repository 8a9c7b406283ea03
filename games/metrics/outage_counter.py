"""The outages of the service as a metric, read from the table that its heartbeats fill."""

from collections.abc import Iterator

from django.db import Error, connection
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

OUTAGES = "SELECT count(*), coalesce(sum(extract(epoch FROM ended - began)), 0)::double precision FROM games_outage"


class OutageCollector(Collector):
    """The same numbers from every process; none while the database is away."""

    def describe(self) -> Iterator[CounterMetricFamily]:
        yield CounterMetricFamily("qwixx_outages", "Gaps in the heartbeat of the service of more than 5 s.")
        yield CounterMetricFamily("qwixx_outage_seconds", "The length of all outages, credited to deadlines.")

    def collect(self) -> Iterator[CounterMetricFamily]:
        try:
            with connection.cursor() as cursor:
                cursor.execute(OUTAGES)
                numbers = cursor.fetchone()
        except Error:
            return
        for family, number in zip(self.describe(), numbers, strict=True):
            family.add_metric([], number)
            yield family
