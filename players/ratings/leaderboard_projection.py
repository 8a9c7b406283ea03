"""The projection of leaderboards: every player's standing of each day, week, month and of all time.

A day is computed from the games played, a week and a month from their days, all time from its months. A standing is
always computed from stored rows, so the order in which games arrive or are voided does not matter.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from players.database.ids import uuid7
from players.database.transactions import wait_for_lock
from players.ratings import leaderboard_cache, periods
from players.ratings.game_results import Effects, FinishedGame, StaleStanding
from players.ratings.leaderboard_cache import METRICS, BoardChange, BoardRevisions
from players.ratings.models import Leaderboard, LeaderboardStanding

CHUNK = 5000

PARTS = {"week": "day", "month": "day", periods.ALL: "month"}  # the period that each is summed up from

UPSERT_BOARDS = """
    INSERT INTO players_board (ruleset, sheet, period, start, revision)
    SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::date[], %s::uuid[])
        ON CONFLICT (ruleset, sheet, period, start) DO UPDATE SET revision = excluded.revision
    RETURNING id, ruleset, sheet, period, start
"""
DELETE_STANDINGS = """
    DELETE FROM players_standing AS standing USING unnest(%s::int[], %s::uuid[]) AS key (board, player)
     WHERE standing.board_id = key.board AND standing.player = key.player
"""
# Deleted players are on no leaderboard. A rating belongs to a ruleset: leaderboards of one sheet have none.
INSERT_DAYS = """
    INSERT INTO players_standing (board_id, player, games, wins, points, best_score, rating)
    SELECT board, key.player, count(*), count(*) FILTER (WHERE played.rank = 1), sum(points), max(points),
           CASE WHEN players_board.sheet = '' THEN
                (array_agg(change.shown ORDER BY played.ended_at DESC, played.game DESC))[1] ELSE 0 END
      FROM unnest(%s::int[], %s::uuid[]) AS key (board, player)
           JOIN players_board ON players_board.id = board
           JOIN players_player ON players_player.id = key.player AND is_active
           JOIN players_played AS played ON played.player = key.player AND played.ruleset = players_board.ruleset
                AND players_board.sheet IN ('', played.sheet) AND counts
                AND played.ended_at >= start::timestamp AT TIME ZONE 'UTC'
                AND played.ended_at < (start + 1)::timestamp AT TIME ZONE 'UTC'
           JOIN players_ratingchange AS change ON change.game = played.game AND change.player = key.player
     GROUP BY board, players_board.sheet, key.player
"""
INSERT_SUMS = """
    INSERT INTO players_standing (board_id, player, games, wins, points, best_score, rating)
    SELECT key.board, key.player, sum(games), sum(wins), sum(points), max(best_score),
           (array_agg(rating ORDER BY part.start DESC))[1]
      FROM unnest(%s::int[], %s::uuid[], %s::date[], %s::date[]) AS key (board, player, first, beyond)
           JOIN players_board AS whole ON whole.id = key.board
           JOIN players_board AS part ON part.ruleset = whole.ruleset AND part.sheet = whole.sheet AND part.period = %s
                AND part.start >= first AND part.start < beyond
           JOIN players_standing AS standing ON standing.board_id = part.id AND standing.player = key.player
     GROUP BY key.board, key.player
"""
DELETED_PLAYERS = """
    SELECT DISTINCT standing.player
      FROM players_standing AS standing JOIN players_board ON players_board.id = board_id
     WHERE period = 'all'
       AND NOT EXISTS (SELECT FROM players_player WHERE players_player.id = standing.player AND is_active)
"""


BoardKey = tuple[str, str, str, date]  # ruleset, sheet, period and its start


class StandingKey(NamedTuple):
    """One player on one leaderboard."""

    ruleset: str
    sheet: str
    period: str
    start: date
    player: UUID

    @property
    def board(self) -> BoardKey:
        return self[:4]


def project(results: Sequence[FinishedGame], effects: Effects) -> None:
    """Compute the standings that these results or changed ratings have made stale."""
    effects.add_stale(results)
    rest = iter(sorted(effects.stale))
    while chunk := list(islice(rest, CHUNK)):  # a week whose days are in two chunks is correct after the second
        _compute_standings(chunk, is_cached=effects.is_live)


def _compute_standings(stale: list[StaleStanding], *, is_cached: bool) -> None:
    keys = {period: _keys(period, stale) for period in periods.PERIODS}
    revisions = _set_revisions({key.board for group in keys.values() for key in group})
    for period, group in keys.items():
        _compute(period, group, revisions)
    if is_cached:
        _update_cache([key for group in keys.values() for key in group], revisions)


def _keys(period: str, stale: list[StaleStanding]) -> list[StandingKey]:
    return sorted(
        {StandingKey(key.ruleset, key.sheet, period, periods.start(period, key.day), key.player) for key in stale}
    )


def _set_revisions(boards: set[BoardKey]) -> dict[BoardKey, BoardRevisions]:
    """Give these leaderboards a new revision, and create those that do not exist yet."""
    wanted = sorted(boards)
    rows = Leaderboard.objects.filter(start__in={start for *_, start in wanted})
    before = {(row.ruleset, row.sheet, row.period, row.start): row.revision for row in rows}
    now = uuid7()
    with connection.cursor() as cursor:
        cursor.execute(UPSERT_BOARDS, [*_columns(wanted, 4), [now] * len(wanted)])
        return {(*key,): BoardRevisions(board, before.get((*key,)), now) for board, *key in cursor.fetchall()}


def _compute(period: str, keys: list[StandingKey], revisions: dict[BoardKey, BoardRevisions]) -> None:
    boards, players = [revisions[key.board].board for key in keys], [key.player for key in keys]
    with connection.cursor() as cursor:
        cursor.execute(DELETE_STANDINGS, [boards, players])
        if period == "day":
            cursor.execute(INSERT_DAYS, [boards, players])
        else:
            beyond = [periods.end(period, key.start) for key in keys]
            cursor.execute(INSERT_SUMS, [boards, players, [key.start for key in keys], beyond, PARTS[period]])


def _update_cache(keys: list[StandingKey], revisions: dict[BoardKey, BoardRevisions]) -> None:
    players: dict[BoardRevisions, set[UUID]] = defaultdict(set)
    for key in keys:
        players[revisions[key.board]].add(key.player)
    changes = []
    for board, changed in players.items():
        rows = LeaderboardStanding.objects.filter(board=board.board, player__in=changed).values_list("player", *METRICS)
        values = {player: dict(zip(METRICS, row, strict=True)) for player, *row in rows}
        changes.append(BoardChange(board, changed, values))
    transaction.on_commit(partial(leaderboard_cache.update, changes))


def _columns(rows: Iterable[Sequence[Any]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def clear() -> None:
    """Delete all standings; the leaderboards keep their ids, because the cache uses them as keys."""
    LeaderboardStanding.objects.all().delete()
    Leaderboard.objects.update(revision=uuid7())


def erase(player: UUID) -> None:
    """Remove a deleted player from all leaderboards, in the transaction of the deletion."""
    wait_for_lock()
    boards = Leaderboard.objects.filter(standings__player=player)
    keys = [StandingKey(board.ruleset, board.sheet, board.period, board.start, player) for board in boards]
    revisions = _set_revisions({key.board for key in keys})
    LeaderboardStanding.objects.filter(player=player).delete()
    _update_cache(keys, revisions)


def deleted_players() -> list[UUID]:
    """Players on leaderboards who were deleted without `erase`."""
    with connection.cursor() as cursor:
        cursor.execute(DELETED_PLAYERS)
        return [player for (player,) in cursor.fetchall()]
