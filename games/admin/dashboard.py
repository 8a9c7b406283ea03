"""The first page: what the service is doing and whether it is well, in few queries, each by an index, kept for a while.

Ids sort by time, so that "since" is a range of ids. Nothing here reads a log.
"""

import json
import os
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis.exceptions import RedisError

from games import callers, metrics, tallies

DAYS = 14
KEPT_S = 15
STATUSES = {"finished": "#10b981", "playing": "#3b82f6", "open": "#f59e0b", "aborted": "#9ca3af", "voided": "#ef4444"}
CHART = json.dumps(
    {"maintainAspectRatio": False, "scales": {"x": {"stacked": False}, "y": {"beginAtZero": True, "display": True}}}
)
LATE_S = 5.0  # a pulse or a sweep that is older than this is not well

GAMES = """
SELECT to_char(created_at AT TIME ZONE 'UTC', 'MM-DD'), status, count(*) FROM games_game WHERE id >= %s GROUP BY 1, 2
"""
LENGTH = """
SELECT ruleset, count(*), avg(extract(epoch FROM ended_at - created_at))::float,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended_at - created_at))::float
  FROM games_game WHERE status IN ('finished', 'voided') AND ended_at >= %s GROUP BY ruleset ORDER BY ruleset
"""
NEWCOMERS = """
SELECT to_char(created_at AT TIME ZONE 'UTC', 'MM-DD'), count(*), count(email) FROM players_player
 WHERE id >= %s GROUP BY 1
"""
BECAME = """
SELECT to_char(became_account_at AT TIME ZONE 'UTC', 'MM-DD'), count(*) FROM players_player
 WHERE became_account_at >= %s GROUP BY 1
"""
SIZES = """
SELECT relname, greatest(reltuples, 0)::bigint FROM pg_class
 WHERE oid IN ('games_game'::regclass, 'players_player'::regclass)
"""
QUEUE = """
SELECT ruleset, count(*), extract(epoch FROM now() - min(created_at))::float FROM games_ticket
 WHERE status = 'queued' AND game IS NULL GROUP BY ruleset ORDER BY ruleset
"""
HEALTH = """
SELECT extract(epoch FROM now() - at)::float, extract(epoch FROM now() - swept_at)::float FROM games_pulse
"""
OUTAGES = "SELECT count(*) FROM games_outage WHERE ended >= %s"
STAFF = """
SELECT (SELECT count(*) FROM players_report WHERE resolved_at IS NULL),
       (SELECT count(*) FROM players_player WHERE banned_until > now())
"""


def callback(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Called by unfold. Whoever may see no game sees no figures either."""
    if request.user.has_perm("games.view_game"):
        context["figures"] = cache.get_or_set("games.admin.dashboard", figures, KEPT_S)
        context["chart_options"] = CHART
    return context


def figures() -> dict[str, Any]:
    now = callers.now()
    since = (now - timedelta(days=DAYS - 1)).replace(hour=0, minute=0, second=0, microsecond=0)
    days = [f"{since + timedelta(days=day):%m-%d}" for day in range(DAYS)]
    first = first_id(since)
    games, newcomers = rows(GAMES, first), rows(NEWCOMERS, first)
    sizes = dict(rows(SIZES))
    ((reports, banned),) = rows(STAFF)
    return {
        "days": DAYS,
        "counts": [(status, sum(n for _, found, n in games if found == status)) for status in STATUSES],
        "games": chart(days, {s: {d: n for d, found, n in games if found == s} for s in STATUSES}, STATUSES.values()),
        "players": _players(days, newcomers, rows(BECAME, since)),
        "lengths": [(ruleset, n, minutes(mean), minutes(median)) for ruleset, n, mean, median in rows(LENGTH, since)],
        "queue": [(ruleset, waiting, round(longest)) for ruleset, waiting, longest in rows(QUEUE)],
        # What the database last estimated; one that never did knows less than what is on this page.
        "total_games": max(sizes.get("games_game", 0), sum(n for _, _, n in games)),
        "total_players": max(sizes.get("players_player", 0), sum(n for _, n, _ in newcomers)),
        "reports": reports,
        "banned": banned,
        "health": _health(since),
        "at": now,
    }


def _players(days: list[str], newcomers: list[Any], became: list[Any]) -> dict[str, Any]:
    series = {
        "new players": {day: number for day, number, _ in newcomers},
        "of them with an account": {day: number for day, _, number in newcomers},
        "guests who became accounts": dict(became),
    }
    totals = [(name, sum(values.values())) for name, values in series.items()]
    return {"chart": chart(days, series, ("#3b82f6", "#8b5cf6", "#10b981")), "totals": totals}


def _health(since: datetime) -> list[tuple[str, Any, bool]]:
    """What, its figure, and whether that is well."""
    ((overdue,),), ((outages,),), pulse = rows(metrics.OVERDUE), rows(OUTAGES, since), rows(HEALTH)
    beat, swept = pulse[0] if pulse else (None, None)
    return [
        ("Deadlines overdue", overdue, overdue == 0),
        ("Last sign of life", ago(beat), is_recent(beat)),
        ("Deadlines last looked through", ago(swept), is_recent(swept)),
        (f"Outages in {DAYS} days", outages, outages == 0),
        *_workers(),
        *_streams(),
    ]


def _workers() -> list[tuple[str, Any, bool]]:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, decode_responses=True, socket_timeout=2) as client:
            lengths = [(queue, int(client.llen(queue))) for queue in metrics.QUEUES]
            sums = {field: float(value) for field, value in client.hgetall(tallies.KEY).items()}
    except (RedisError, OSError):
        return [("Redis", "away", False)]
    name = tallies.DEADLINE_LATENESS.name
    timeouts = sum(n for field, n in sums.items() if field.startswith(name) and not field.endswith("sum"))
    late, failed = (sums.get(f"{tally.name} sum", 0) for tally in (tallies.BOTS_LATE, tallies.BOT_FAILURES))
    return [
        *((f"Tasks waiting: {queue}", length, length < 100) for queue, length in lengths),
        ("Time-outs enforced", int(timeouts), True),
        ("Bots that were late or failed", int(late + failed), failed == 0),
    ]


def _streams() -> list[tuple[str, Any, bool]]:
    """Of all web processes where they share a folder, else of this one."""
    told: Iterable[Metric] = [m for metric in (metrics.SOCKETS, metrics.HOLES) for m in metric.collect()]
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        told = MultiProcessCollector(CollectorRegistry()).collect()  # type: ignore[no-untyped-call]
    sums = {"qwixx_sockets": 0.0, "qwixx_stream_holes_total": 0.0}
    for sample in (sample for metric in told for sample in metric.samples):
        if sample.name in sums:
            sums[sample.name] += sample.value
    sockets, holes = sums.values()
    return [("Streams open", int(sockets), True), ("Events that streams had missed", int(holes), holes < 100)]


def rows(query: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return list(cursor.fetchall())


def first_id(since: datetime) -> UUID:
    """The least id that can have been made then."""
    return UUID(int=int(since.timestamp() * 1000) << 80)


def chart(days: list[str], series: dict[str, dict[str, int]], colours: Iterable[str]) -> str:
    """As Chart.js reads it."""
    sets = [
        {"label": name, "data": [values.get(day, 0) for day in days], "backgroundColor": colour}
        for (name, values), colour in zip(series.items(), colours, strict=True)
    ]
    return json.dumps({"labels": days, "datasets": sets})


def minutes(seconds: float) -> str:
    """
    >>> minutes(754)
    '12:34'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def ago(seconds: float | None) -> str:
    return "never" if seconds is None else f"{seconds:.1f} s ago"


def is_recent(seconds: float | None) -> bool:
    return seconds is not None and seconds < LATE_S
