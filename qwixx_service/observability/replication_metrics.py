"""Whether PostgreSQL hands its changes on: to backups, where it archives its log, and to synchronous standbys."""

import contextlib
from collections.abc import Iterator

from django.db import Error, connection
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

AGE = """
    SELECT extract(epoch FROM now() - coalesce(last_archived_time, stats_reset))::double precision
    FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'
"""
# Roles without pg_read_all_stats see standbys, and not which of them are synchronous.
SYNC_STANDBYS = """
    SELECT count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) FROM pg_stat_replication
    HAVING current_setting('synchronous_standby_names') <> '' AND pg_has_role('pg_read_all_stats', 'USAGE')
"""


class WalArchiveCollector(Collector):
    """The same number from every process; none where nothing is archived, or while the database is away."""

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily(
            "qwixx_wal_archive_age_seconds", "Time since PostgreSQL has archived a part of its log for backups."
        )

    def collect(self) -> Iterator[GaugeMetricFamily]:
        return _measured(self.describe(), AGE)


class SyncStandbyCollector(Collector):
    """The same number from every process; none where no standby is to be synchronous, or the role may not see it."""

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily(
            "qwixx_sync_standbys", "Standbys that confirm commits, where synchronous_standby_names is set."
        )

    def collect(self) -> Iterator[GaugeMetricFamily]:
        return _measured(self.describe(), SYNC_STANDBYS)


def _measured(families: Iterator[GaugeMetricFamily], statement: str) -> Iterator[GaugeMetricFamily]:
    for family in families:
        with contextlib.suppress(Error), connection.cursor() as cursor:
            cursor.execute(statement)
            if found := cursor.fetchone():
                family.add_metric([], found[0])
        yield family
