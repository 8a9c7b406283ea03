"""How old the newest change is that PostgreSQL has handed to its backups, where it archives its log."""

import contextlib
from collections.abc import Iterator

from django.db import Error, connection
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

AGE = """
    SELECT extract(epoch FROM now() - coalesce(last_archived_time, stats_reset))::double precision
    FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'
"""


class WalArchiveCollector(Collector):
    """The same number from every process; none where nothing is archived, or while the database is away."""

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield self._family()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = self._family()
        with contextlib.suppress(Error), connection.cursor() as cursor:
            cursor.execute(AGE)
            if found := cursor.fetchone():
                family.add_metric([], found[0])
        yield family

    def _family(self) -> GaugeMetricFamily:
        return GaugeMetricFamily(
            "qwixx_wal_archive_age_seconds", "Time since PostgreSQL has archived a part of its log for backups."
        )
