"""The numbers of the dashboard: the daily figures of two weeks, and what is open now, each on an index."""

from datetime import date, timedelta
from typing import Any

from games import clock
from games.admin import health
from games.admin.overview.tables import Figures
from games.metrics import counters
from players.database import replica
from players.database.ids import earliest

DAYS = 14
RECENTLY = timedelta(hours=1)

# Partial indexes cover open games and games in progress, except private ones without a deadline: these are a daily
# figure.
IN_PROGRESS = """
SELECT (SELECT count(*) FROM games_game WHERE status = 'open'),
       (SELECT count(*) FROM games_game WHERE status = 'playing' AND visibility = 'public')
       + (SELECT count(*) FROM games_game
           WHERE status = 'playing' AND visibility = 'private' AND deadline_at IS NOT NULL)
"""
SIZES = """
SELECT relname, greatest(reltuples, 0)::bigint FROM pg_class
 WHERE oid IN ('games_game'::regclass, 'players_player'::regclass)
"""
QUEUE = """
SELECT ruleset, count(*), extract(epoch FROM now() - min(created_at))::float FROM games_ticket
 WHERE status = 'queued' AND game IS NULL GROUP BY ruleset
"""
# A ticket stores the id of its game with the match, and ids begin with the time.
MATCHED = """
SELECT ticket.ruleset, count(*),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM game.created_at - ticket.created_at))::float
  FROM games_ticket AS ticket JOIN games_game AS game ON game.id = ticket.game
 WHERE ticket.game >= %s AND ticket.status = 'matched' GROUP BY ticket.ruleset
"""
STAFF = """
SELECT (SELECT count(*) FROM players_report WHERE resolved_at IS NULL),
       (SELECT count(*) FROM players_player WHERE banned_until > now())
"""
OUTAGES = "SELECT count(*) FROM games_outage WHERE ended >= %s"


def figures() -> dict[str, Any]:
    now = clock.now()
    since = (now - timedelta(days=DAYS - 1)).replace(hour=0, minute=0, second=0, microsecond=0)
    days = [(since + timedelta(days=day)).date() for day in range(DAYS)]
    daily, sizes = Figures(days, ""), dict(rows(SIZES))
    games = {status: per_day(daily, "games", status) for status in daily.labels["games"]}
    people = {name: per_day(daily, name) for name in ("new", "new_accounts", "upgrades")}
    ((open_, playing),), ((reports, banned),) = rows(IN_PROGRESS), rows(STAFF)
    ((overdue,),), ((outages,),) = rows(counters.OVERDUE), rows(OUTAGES, since)
    return {
        "at": now,
        "days": days,
        "now": {"open": open_, "playing": playing + daily.total("hidden_playing", "")},
        "games": games,
        "people": people,
        "time_outs": per_day(daily, "time_outs"),
        "lengths": lengths(daily),
        "medians": medians(daily),
        "queue": queue(rows(QUEUE), rows(MATCHED, earliest(now - RECENTLY))),
        # The estimates of the last ANALYZE; before the first one, the counts of the period are greater.
        "total_games": max(sizes.get("games_game", 0), sum(sum(values.values()) for values in games.values())),
        "total_players": max(sizes.get("players_player", 0), sum(people["new"].values())),
        "reports": reports,
        "banned": banned,
        "health": health.checks(overdue, outages),
    }


def rows(query: str, *parameters: Any) -> list[Any]:
    return replica.fetch(query, list(parameters))


def per_day(daily: Figures, name: str, key: str = "") -> dict[date, int]:
    return {day: number for day in daily.days if (number := daily.at(day, name, key))}


def lengths(daily: Figures) -> list[tuple[str, int, float]]:
    """Of each ruleset: how many games ended, and their mean length in seconds."""
    found = []
    for ruleset in _rulesets(daily):
        number, seconds = (
            sum(daily.by_ruleset.get((day, name, ruleset), 0) for day in daily.days) for name in ("ended", "seconds")
        )
        found.append((ruleset, number, seconds / number))
    return found


def medians(daily: Figures) -> dict[str, dict[date, int]]:
    """Of each ruleset, the median length of each day in seconds."""
    keys = {ruleset: ((day, "median_seconds", ruleset) for day in daily.days) for ruleset in _rulesets(daily)}
    return {
        ruleset: {key[0]: daily.by_ruleset[key] for key in of_days if key in daily.by_ruleset}
        for ruleset, of_days in keys.items()
    }


def _rulesets(daily: Figures) -> list[str]:
    return sorted({ruleset for _, name, ruleset in daily.by_ruleset if name == "ended"})


def queue(waiting: list[Any], matched: list[Any]) -> list[tuple[str, int, float, int, float | None]]:
    """
    >>> queue([("qwixx", 2, 7.5)], [("qwinto", 4, 3.0)])
    [('qwinto', 0, 0.0, 4, 3.0), ('qwixx', 2, 7.5, 0, None)]
    """
    now = {ruleset: (number, longest) for ruleset, number, longest in waiting}
    lately = {ruleset: (number, median) for ruleset, number, median in matched}
    return [
        (ruleset, *now.get(ruleset, (0, 0.0)), *lately.get(ruleset, (0, None))) for ruleset in sorted({*now, *lately})
    ]


def by_day(days: list[date], values: dict[date, Any]) -> list[Any]:
    """
    >>> by_day([date(2026, 1, 1), date(2026, 1, 2)], {date(2026, 1, 2): 3})
    [0, 3]
    """
    return [values.get(day, 0) for day in days]
