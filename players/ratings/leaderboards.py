"""Leaderboards as a projection: what every player has reached in each day, week, month and in all time.

A day is counted from the games played, a week and a month from their days, all time from its months: so a standing is
always worked out anew from what is stored, and it does not matter in which order games came or went.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date
from functools import partial
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from players.database.advisory_lock import stand_alone
from players.database.ids import uuid7
from players.models import Board, Played, Standing
from players.ratings import leaderboard_cache, periods
from players.ratings.leaderboard_cache import METRICS, Change, Stamp
from players.ratings.results import Effects, Result, Touched

CHUNK = 5000

PARTS = {"week": "day", "month": "day", periods.ALL: "month"}  # what each is added up from

BOARDS = """
    INSERT INTO players_board (ruleset, period, start, revision)
    SELECT * FROM unnest(%s::text[], %s::text[], %s::date[], %s::uuid[])
        ON CONFLICT (ruleset, period, start) DO UPDATE SET revision = excluded.revision
    RETURNING id, ruleset, period, start
"""
FORGET = """
    DELETE FROM players_standing AS standing USING unnest(%s::int[], %s::uuid[]) AS key (board, player)
     WHERE standing.board_id = key.board AND standing.player = key.player
"""
# Players who are gone or barred are on no board.
DAYS = """
    INSERT INTO players_standing (board_id, player, games, wins, points, best_score, rating)
    SELECT board, key.player, count(*), count(*) FILTER (WHERE played.rank = 1), sum(points), max(points),
           (array_agg(change.shown ORDER BY played.ended_at DESC, played.game DESC))[1]
      FROM unnest(%s::int[], %s::uuid[]) AS key (board, player)
           JOIN players_board ON players_board.id = board
           JOIN players_player ON players_player.id = key.player AND is_active
           JOIN players_played AS played ON played.player = key.player AND played.ruleset = players_board.ruleset
                AND counts AND played.ended_at >= start::timestamp AT TIME ZONE 'UTC'
                AND played.ended_at < (start + 1)::timestamp AT TIME ZONE 'UTC'
           JOIN players_ratingchange AS change ON change.game = played.game AND change.player = key.player
     GROUP BY board, key.player
"""
SUMS = """
    INSERT INTO players_standing (board_id, player, games, wins, points, best_score, rating)
    SELECT key.board, key.player, sum(games), sum(wins), sum(points), max(best_score),
           (array_agg(rating ORDER BY part.start DESC))[1]
      FROM unnest(%s::int[], %s::uuid[], %s::date[], %s::date[]) AS key (board, player, first, beyond)
           JOIN players_board AS whole ON whole.id = key.board
           JOIN players_board AS part ON part.ruleset = whole.ruleset AND part.period = %s
                AND part.start >= first AND part.start < beyond
           JOIN players_standing AS standing ON standing.board_id = part.id AND standing.player = key.player
     GROUP BY key.board, key.player
"""
GHOSTS = """
    SELECT DISTINCT standing.player
      FROM players_standing AS standing JOIN players_board ON players_board.id = board_id
     WHERE period = 'all'
       AND NOT EXISTS (SELECT FROM players_player WHERE players_player.id = standing.player AND is_active)
"""


class Key(NamedTuple):
    """One player on one board."""

    ruleset: str
    period: str
    start: date
    player: UUID

    @property
    def board(self) -> tuple[str, str, date]:
        return self[:3]


def project(news: Sequence[Result], effects: Effects) -> None:
    """Works out anew whatever these results have touched, or changed ratings have."""
    touched = {Touched(r.ruleset, place.player, r.day) for r in news for place in r.places if place.player}
    refresh(touched | effects.touched, is_cached=effects.is_told)


def refresh(touched: Iterable[Touched], *, is_cached: bool = True) -> None:
    """Chunk by chunk: a week that reaches into two of them is right after the second."""
    rest = iter(sorted(touched))
    while chunk := list(islice(rest, CHUNK)):
        _refresh(chunk, is_cached=is_cached)


def _refresh(touched: list[Touched], *, is_cached: bool) -> None:
    keys = {period: _keys(period, touched) for period in periods.PERIODS}
    stamps = _revised({key.board for several in keys.values() for key in several})
    for period, several in keys.items():
        _work_out(period, several, stamps)
    if is_cached:
        _tell_cache([key for several in keys.values() for key in several], stamps)


def _keys(period: str, touched: list[Touched]) -> list[Key]:
    return sorted({Key(t.ruleset, period, periods.start(period, t.day), t.player) for t in touched})


def _revised(boards: set[tuple[str, str, date]]) -> dict[tuple[str, str, date], Stamp]:
    """The boards' numbers, with their revisions before and from now on; those that are not there yet are made."""
    wanted = sorted(boards)
    rows = Board.objects.filter(start__in={start for _, _, start in wanted})
    before = {(row.ruleset, row.period, row.start): row.revision for row in rows}
    now = uuid7()
    with connection.cursor() as cursor:
        cursor.execute(BOARDS, [*_columns(wanted, 3), [now] * len(wanted)])
        return {(*key,): Stamp(number, before.get((*key,)), now) for number, *key in cursor.fetchall()}


def _work_out(period: str, keys: list[Key], stamps: dict[tuple[str, str, date], Stamp]) -> None:
    numbers, players = [stamps[key.board].board for key in keys], [key.player for key in keys]
    with connection.cursor() as cursor:
        cursor.execute(FORGET, [numbers, players])
        if period == "day":
            cursor.execute(DAYS, [numbers, players])
        else:
            beyond = [periods.end(period, key.start) for key in keys]
            cursor.execute(SUMS, [numbers, players, [key.start for key in keys], beyond, PARTS[period]])


def _tell_cache(keys: list[Key], stamps: dict[tuple[str, str, date], Stamp]) -> None:
    players: dict[Stamp, set[UUID]] = defaultdict(set)
    for key in keys:
        players[stamps[key.board]].add(key.player)
    changes = []
    for stamp, several in players.items():
        rows = Standing.objects.filter(board=stamp.board, player__in=several).values_list("player", *METRICS)
        changes.append(Change(stamp, several, {row[0]: dict(zip(METRICS, row[1:], strict=True)) for row in rows}))
    transaction.on_commit(partial(leaderboard_cache.change, changes))


def _columns(rows: Iterable[Sequence[Any]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def clear() -> None:
    """Nobody stands anywhere; boards keep their numbers, for caches know them by those."""
    Standing.objects.all().delete()
    Board.objects.update(revision=uuid7())


def erase(player: UUID) -> None:
    """In the transaction that deletes or bars a player: no ghost stays on a board, and none comes back."""
    stand_alone()
    boards = Board.objects.filter(standing__player=player)
    keys = [Key(board.ruleset, board.period, board.start, player) for board in boards]
    stamps = _revised({key.board for key in keys})
    Standing.objects.filter(player=player).delete()
    _tell_cache(keys, stamps)


def restore(player: UUID) -> None:
    """In the transaction that lets a barred player in again."""
    stand_alone()
    played = Played.objects.filter(player=player, counts=True).values_list("ruleset", "ended_at")
    refresh({Touched(ruleset, player, ended_at.astimezone(UTC).date()) for ruleset, ended_at in played})


def ghosts() -> list[UUID]:
    """Players on boards who should not be there: nobody has told us that they were deleted or barred."""
    with connection.cursor() as cursor:
        cursor.execute(GHOSTS)
        return [player for (player,) in cursor.fetchall()]
