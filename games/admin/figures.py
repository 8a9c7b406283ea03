"""The numbers of the dashboard: few queries, each on an index."""

from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from games import clock
from games.admin import health
from games.metrics import counters
from players.database import replica

DAYS = 14

# Partial indexes cover open games and games in progress, except private ones without a deadline: those are counted if
# they were created within the period.
IN_PROGRESS = """
SELECT (SELECT count(*) FROM games_game WHERE status = 'open'),
       (SELECT count(*) FROM games_game
         WHERE status = 'playing' AND (visibility = 'public' OR deadline_at IS NOT NULL OR id >= %s))
"""
GAMES = """
SELECT (created_at AT TIME ZONE 'UTC')::date, status, count(*) FROM games_game WHERE id >= %s GROUP BY 1, 2
"""
# By ruleset, and by ruleset and day.
LENGTHS = """
SELECT ruleset, (ended_at AT TIME ZONE 'UTC')::date AS day, count(*),
       avg(extract(epoch FROM ended_at - created_at))::float,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended_at - created_at))::float
  FROM games_game WHERE status IN ('finished', 'voided') AND ended_at >= %s
 GROUP BY GROUPING SETS ((ruleset), (ruleset, day)) ORDER BY ruleset
"""
TIMEOUTS = """
SELECT (at AT TIME ZONE 'UTC')::date, count(*) FROM games_event WHERE type = 'time_ran_out' AND at >= %s GROUP BY 1
"""
NEW_PLAYERS = """
SELECT (created_at AT TIME ZONE 'UTC')::date, count(*), count(email) FROM players_player WHERE id >= %s GROUP BY 1
"""
UPGRADES = """
SELECT (became_account_at AT TIME ZONE 'UTC')::date, count(*) FROM players_player
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
STAFF = """
SELECT (SELECT count(*) FROM players_report WHERE resolved_at IS NULL),
       (SELECT count(*) FROM players_player WHERE banned_until > now())
"""
OUTAGES = "SELECT count(*) FROM games_outage WHERE ended >= %s"


def figures() -> dict[str, Any]:
    now = clock.now()
    since = (now - timedelta(days=DAYS - 1)).replace(hour=0, minute=0, second=0, microsecond=0)
    first = first_id(since)
    games, new_players = rows(GAMES, first), rows(NEW_PLAYERS, first)
    sizes = dict(rows(SIZES))
    ((open_, playing),), ((reports, banned),) = rows(IN_PROGRESS, first), rows(STAFF)
    ((overdue,),), ((outages,),) = rows(counters.OVERDUE), rows(OUTAGES, since)
    return {
        "at": now,
        "days": [(since + timedelta(days=day)).date() for day in range(DAYS)],
        "now": {"open": open_, "playing": playing},
        "games": games,
        "new_players": new_players,
        "upgrades": dict(rows(UPGRADES, since)),
        "time_outs": dict(rows(TIMEOUTS, since)),
        "lengths": rows(LENGTHS, since),
        "queue": rows(QUEUE),
        # The estimates of the last ANALYZE; before the first one, the counts of the period are greater.
        "total_games": max(sizes.get("games_game", 0), sum(n for _, _, n in games)),
        "total_players": max(sizes.get("players_player", 0), sum(n for _, n, _ in new_players)),
        "reports": reports,
        "banned": banned,
        "health": health.checks(overdue, outages),
    }


def rows(query: str, *parameters: Any) -> list[Any]:
    return replica.fetch(query, list(parameters))


def first_id(since: datetime) -> UUID:
    """The least id that can have been created since then: ids are UUIDs of version 7 and sort by time."""
    return UUID(int=int(since.timestamp() * 1000) << 80)


def by_day(days: list[date], values: dict[date, Any]) -> list[Any]:
    """
    >>> by_day([date(2026, 1, 1), date(2026, 1, 2)], {date(2026, 1, 2): 3})
    [0, 3]
    """
    return [values.get(day, 0) for day in days]
