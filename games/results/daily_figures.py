"""Rolls the games and players of each day up into figures: a day is computed as a whole, and can be computed again."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib import resources
from typing import Any

from django.db import connection, transaction

from players.database.ids import earliest
from players.database.transactions import PROJECTION_LOCK, try_lock, wait_for_lock

LOCK = PROJECTION_LOCK + 2
IDLE_S = 600.0  # of a day with very many games
RECENT = 2  # days whose figures change all the time
COHORTS = (1, 7, 30)  # days after which newcomers are looked for
DAY = timedelta(days=1)

ACTIVE = """
INSERT INTO games_activeday (day, player)
SELECT DISTINCT %(date)s, seat.player FROM games_game AS game JOIN games_seat AS seat ON seat.game_id = game.id
 WHERE game.id >= %(first)s AND game.id < %(next)s AND seat.player IS NOT NULL
"""
FIRST_DAY = "SELECT min(created_at) FROM (SELECT created_at FROM {} ORDER BY id LIMIT 1) AS first"


def roll_up(days: Sequence[date]) -> None:
    """Compute each day in a transaction of its own: a process that dies leaves no day half computed.

    The active players of all days come first, because the figures of a day count the players who came back later.
    """
    for step in (note_active, count):
        for day in days:
            with try_lock(LOCK, IDLE_S) as is_ours:
                if is_ours:
                    step(day)


def note_active(day: date) -> None:
    _run("DELETE FROM games_activeday WHERE day = %(date)s", day)
    _run(ACTIVE, day)


def count(day: date) -> None:
    _run("DELETE FROM games_dailyfigure WHERE day = %(date)s AND name <> 'time_outs'", day)
    _run(_figures_sql(), day)


def recent(today: date) -> list[date]:
    """Days whose figures change as time goes on: the last ones, and those whose newcomers may have come back."""
    last = {today - n * DAY for n in range(RECENT)}
    return sorted(last | {day - n * DAY for day in last for n in COHORTS})


def all_days(today: date) -> list[date]:
    first = min(today, _first_day("games_game"), _first_day("players_player"))
    return [first + n * DAY for n in range((today - first).days + 1)]


def rebuild(today: date, progress: Callable[[list[date]], Iterable[date]] = iter) -> int:
    """Compute every day again in one transaction; readers see the former figures until it ends."""
    with transaction.atomic():
        wait_for_lock(LOCK)
        days = all_days(today)
        for day in days:
            note_active(day)
        for day in progress(days):
            count(day)
    return len(days)


def _first_day(table: str) -> date:
    with connection.cursor() as cursor:
        cursor.execute(FIRST_DAY.format(table))
        (first,) = cursor.fetchone() or (None,)
    return first.astimezone(UTC).date() if first else date.max


def _run(statement: str, day: date) -> None:
    start = datetime.combine(day, time(), UTC)
    bounds: dict[str, Any] = {
        "day": start,
        "day_after": start + DAY,
        "first": earliest(start),
        "next": earliest(start + DAY),
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, {"date": day, **bounds})


@cache
def _figures_sql() -> str:
    return (resources.files("games.results") / "daily_figures.sql").read_text()
