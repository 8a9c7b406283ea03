"""Looks for signs of cheating in finished games: arranged games, strength that jumps, answers like a program."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from games.log.reads import answer_times
from games.results.signal_models import CheatSignal
from players.database.transactions import PROJECTION_LOCK, try_lock
from players.models import Player

KINDS = ("collusion", "sandbagging", "regular")
PERIOD = timedelta(days=90)  # of rated games
ANSWERS_PERIOD = timedelta(days=30)
LOCK = PROJECTION_LOCK + 3
IDLE_S = 600.0

# A pair has played at least so many rated games. They are at least half of those of one of the two, and in at least
# half of them one of the two left and the other one won.
MIN_TOGETHER = 10
COLLUSION = """
WITH part AS MATERIALIZED (
    SELECT game, player, rank, deserted FROM players_played WHERE counts AND ended_at >= %(since)s
), played AS (
    SELECT player, count(*) AS games FROM part GROUP BY player
), pairs AS (
    SELECT one.player AS one, two.player AS two, count(*) AS games,
           count(*) FILTER (WHERE one.deserted <> two.deserted AND least(one.rank, two.rank) = 1) AS given
      FROM part AS one JOIN part AS two ON two.game = one.game AND one.player < two.player
     GROUP BY one.player, two.player HAVING count(*) >= %(min_together)s
)
SELECT pairs.one, pairs.two, pairs.games, pairs.given
  FROM pairs JOIN played AS of_one ON of_one.player = pairs.one JOIN played AS of_two ON of_two.player = pairs.two
 WHERE pairs.given * 2 >= pairs.games AND pairs.games * 2 >= least(of_one.games, of_two.games)
"""
# Of 15 rated games in a row at most one was won, of the next 15 at least 14. By luck, a player who wins every second
# game has this at one game in four million.
STREAK = 15
SANDBAGGING = """
WITH streaks AS (
    SELECT player, ruleset, ended_at, game,
           count(*) OVER earlier AS games_before, count(*) FILTER (WHERE rank = 1) OVER earlier AS won_before,
           count(*) OVER later AS games_after, count(*) FILTER (WHERE rank = 1) OVER later AS won_after
      FROM players_played WHERE counts AND ended_at >= %(since)s
    WINDOW earlier AS (PARTITION BY player, ruleset ORDER BY ended_at, game
                      ROWS BETWEEN %(streak)s PRECEDING AND 1 PRECEDING),
           later AS (PARTITION BY player, ruleset ORDER BY ended_at, game
                     ROWS BETWEEN CURRENT ROW AND %(streak)s - 1 FOLLOWING)
)
SELECT DISTINCT ON (player, ruleset) player, ruleset, won_before, won_after FROM streaks
 WHERE games_before = %(streak)s AND games_after = %(streak)s AND won_before <= 1 AND won_after >= %(streak)s - 1
 ORDER BY player, ruleset, won_after - won_before DESC, ended_at, game
"""


def find(now: datetime) -> None:
    """Replace all signals by those that the finished games give now."""
    with try_lock(LOCK, IDLE_S) as is_ours:
        if is_ours:
            found = [CheatSignal(found_at=now, **fields) for fields in _found(now)]
            CheatSignal.objects.all().delete()
            CheatSignal.objects.bulk_create(found)


def erase(player: UUID) -> None:
    """An eraser of `players.extensions`."""
    CheatSignal.objects.filter(Q(player=player) | Q(other=player)).delete()


def _found(now: datetime) -> Iterator[dict[str, Any]]:
    since = now - PERIOD
    for one, two, games, given in _rows(COLLUSION, since=since, min_together=MIN_TOGETHER):
        yield {"kind": "collusion", "player": one, "other": two, "figures": {"games": games, "given": given}}
    for player, ruleset, before, after in _rows(SANDBAGGING, since=since, streak=STREAK):
        figures = {"games": STREAK, "before": before, "after": after}
        yield {"kind": "sandbagging", "player": player, "ruleset": ruleset, "figures": figures}
    yield from _regular(now)


def _regular(now: datetime) -> Iterator[dict[str, Any]]:
    """Bot accounts are bots by their profile, and are left out."""
    found = answer_times.regular(now - ANSWERS_PERIOD)
    people = Player.objects.filter(pk__in=[row.player for row in found], bot_owner=None).values_list("pk", flat=True)
    for row in [row for row in found if row.player in set(people)]:
        figures = {"games": row.answers, "mean": round(row.mean_s, 2), "deviation": round(row.deviation_s, 3)}
        yield {"kind": "regular", "player": row.player, "figures": figures}


def _rows(query: str, **parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return list(cursor.fetchall())
