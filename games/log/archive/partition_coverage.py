"""Metrics of the log's partitions: for how long there are some, and the events that only the default one could take."""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import Error
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from games.log.archive.statements import rows, value

# NULL: from the first id on.
BOUNDS = """
    SELECT substring(bound FROM 'FROM \\(''([0-9a-f-]{36})''\\)')::uuid,
           substring(bound FROM 'TO \\(''([0-9a-f-]{36})''\\)')::uuid
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid, pg_get_expr(relpartbound, pg_class.oid) AS bound
     WHERE inhparent = 'games_event'::regclass AND bound <> 'DEFAULT'
"""
# The planner leaves out all partitions but the default one.
BETWEEN = "SELECT count(*) FROM (SELECT FROM games_event WHERE game_id >= %s AND game_id < %s LIMIT 10000) AS event"
FIRST, LAST = UUID(int=0), UUID(int=2**128 - 1)

Range = tuple[UUID, UUID]  # the first id of a partition, and the first one after it


class Coverage(NamedTuple):
    """From now on, without a gap; and the ids of the first gap, or of the one that is now."""

    seconds: float
    gap: Range


def coverage(ranges: Sequence[Range], now_s: float) -> Coverage:
    """What partitions of these ranges cover.

    >>> coverage([], 1000.0).seconds
    0.0
    >>> month = [(first_id(0.0), first_id(1500.0)), (first_id(1500.0), first_id(2000.0)), (first_id(2500.0), LAST)]
    >>> covered = coverage(month, 1000.0)
    >>> covered.seconds, covered.gap == (first_id(2000.0), first_id(2500.0))
    (1000.0, True)
    >>> coverage(month, 2200.0) == (0.0, covered.gap)
    True
    """
    now = until = first_id(now_s)
    for lower, upper in sorted(ranges):
        if lower <= until < upper:
            until = upper
    begin = until if until > now else max((upper for _, upper in ranges if upper <= now), default=FIRST)
    end = min((lower for lower, _ in ranges if lower > until), default=LAST)
    return Coverage(((until.int >> 80) - (now.int >> 80)) / 1000, (begin, end))


def first_id(moment_s: float) -> UUID:
    """As `games_first_id` in partitions.sql."""
    return UUID(int=int(moment_s * 1000) << 80)


class PartitionCollector(Collector):
    """The same numbers from every process, queried at most every `cache_s` seconds; none without a database."""

    def __init__(self, clock: Callable[[], datetime], cache_s: float = 60.0) -> None:
        self._clock = clock
        self._cache_s = cache_s
        self._expires = 0.0
        self._numbers: tuple[float, ...] = ()

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily(
            "qwixx_log_partitioned_seconds", "How long from now on there are partitions of the log."
        )
        yield GaugeMetricFamily(
            "qwixx_log_default_events",
            "Events in the default partition of the log because there is no other one for them, at most 10,000. Events "
            "that the archive has left there are not counted.",
        )

    def collect(self) -> Iterator[GaugeMetricFamily]:
        if time.monotonic() > self._expires:
            self._numbers, self._expires = _read(self._clock()), time.monotonic() + self._cache_s
        for family, number in zip(self.describe(), self._numbers or (None, None), strict=True):
            if number is not None:
                family.add_metric([], number)
            yield family


def _read(now: datetime) -> tuple[float, ...]:
    try:
        ranges = [(lower or FIRST, upper) for lower, upper in rows(BOUNDS)]
        covered = coverage(ranges, now.timestamp())
        return covered.seconds, float(value(BETWEEN, *covered.gap))
    except Error:
        return ()
