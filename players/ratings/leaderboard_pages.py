"""Reads leaderboards: pages in order, ranks that tied players share, and the caller's own rank.

Pages come from SQL through an index; only ranks need counting, and come from the cache where it is current.
"""

from datetime import date
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from psycopg import sql

from players.database import replica
from players.ratings import leaderboard_cache, periods
from players.ratings.game_results import ALL_SHEETS
from players.ratings.leaderboard_cache import METRICS, RankCounts
from players.ratings.models import Leaderboard, LeaderboardStanding

CACHED_FROM = 1000  # players: SQL counts fewer of them as fast


class LeaderboardCursor(NamedTuple):
    """A position in the order of a leaderboard: by value, and among equal values by player."""

    value: int
    player: UUID


class StandingRow(NamedTuple):
    value: int
    player: UUID
    revision: UUID

    @property
    def cursor(self) -> LeaderboardCursor:
        return LeaderboardCursor(self.value, self.player)


class LeaderboardEntry(NamedTuple):
    rank: int
    player: UUID
    value: int


class LeaderboardPage(NamedTuple):
    entries: list[LeaderboardEntry]
    you: LeaderboardEntry | None = None
    before: LeaderboardCursor | None = None  # None: this is the first page
    after: LeaderboardCursor | None = None  # None: this is the last page


ROWS = """
    SELECT {metric}, player, revision FROM players_standing JOIN players_board ON players_board.id = board_id
     WHERE board_id = %s AND ({metric}, player) {beyond} (%s, %s)
     ORDER BY {metric} {order}, player {order} LIMIT %s
"""
OWN = """
    SELECT {metric}, player, revision FROM players_standing JOIN players_board ON players_board.id = board_id
     WHERE board_id = %s AND player = %s
"""
RANK = """
    SELECT count(*) FILTER (WHERE {metric} > %s), count(*)
      FROM players_standing WHERE board_id = %s AND ({metric}, player) > (%s, %s)
"""
TOP = LeaderboardCursor(2**31 - 1, UUID(int=2**128 - 1))


class LeaderboardReader:
    """Reads one leaderboard, ordered by one metric."""

    def __init__(self, board: int, metric: str) -> None:
        self.board, self.metric = board, metric

    def page(self, me: UUID, limit: int, *, around_me: bool = False) -> LeaderboardPage:
        """The first page; or the page with the caller in the middle, if the caller is on the leaderboard."""
        own = self._own(me)
        if own is None or not around_me:
            return self._page(self.rows_below(TOP, limit), own)
        above, below = self.rows_above(own.cursor, limit - 1), self.rows_below(own.cursor, limit - 1)
        start = max(len(above) - max((limit - 1) // 2, limit - 1 - len(below)), 0)
        return self._page([*above[start:], own, *below][:limit], own)

    def after(self, cursor: LeaderboardCursor, me: UUID, limit: int) -> LeaderboardPage:
        return self._page(self.rows_below(cursor, limit), self._own(me))

    def before(self, cursor: LeaderboardCursor, me: UUID, limit: int) -> LeaderboardPage:
        return self._page(self.rows_above(cursor, limit), self._own(me))

    def rank(self, row: StandingRow) -> RankCounts:
        """From the cache if it is current, else counted in SQL."""
        cached = leaderboard_cache.rank(self.board, row.revision, self.metric, row.player, row.value)
        return cached or self.counted_rank(row)

    def counted_rank(self, row: StandingRow) -> RankCounts:
        return RankCounts(*self._fetch(RANK, [row.value, self.board, *row.cursor])[0])

    def _page(self, rows: list[StandingRow], own: StandingRow | None) -> LeaderboardPage:
        you = LeaderboardEntry(self.rank(own).above + 1, own.player, own.value) if own else None
        if not rows:
            return LeaderboardPage([], you)
        first, last = self.rank(rows[0]), rows[-1].cursor
        entries: list[LeaderboardEntry] = []
        for index, row in enumerate(rows):
            is_tie = index > 0 and row.value == rows[index - 1].value
            rank = entries[-1].rank if is_tie else first.ahead + index + 1 if index else first.above + 1
            entries.append(LeaderboardEntry(rank, row.player, row.value))
        before = rows[0].cursor if first.ahead else None
        return LeaderboardPage(entries, you, before, last if self.rows_below(last, 1) else None)

    def _own(self, me: UUID) -> StandingRow | None:
        rows = self._fetch(OWN, [self.board, me])
        return StandingRow(*rows[0]) if rows else None

    def rows_below(self, cursor: LeaderboardCursor, limit: int) -> list[StandingRow]:
        return [StandingRow(*row) for row in self._fetch(ROWS, [self.board, *cursor, limit], beyond="<", order="DESC")]

    def rows_above(self, cursor: LeaderboardCursor, limit: int) -> list[StandingRow]:
        rows = self._fetch(ROWS, [self.board, *cursor, limit], beyond=">", order="ASC")
        return [StandingRow(*row) for row in reversed(rows)]

    def _fetch(self, query: LiteralString, parameters: list[Any], **words: LiteralString) -> list[tuple[Any, ...]]:
        parts = {name: sql.SQL(word) for name, word in words.items()}
        return replica.fetch(sql.SQL(query).format(metric=sql.Identifier(self.metric), **parts), parameters)


def reader(ruleset: str, period: str, day: date, metric: str, sheet: str = ALL_SHEETS) -> LeaderboardReader | None:
    """None: no rated game ended in the period."""
    start = periods.start(period, day)
    board = Leaderboard.objects.filter(ruleset=ruleset, sheet=sheet, period=period, start=start).first()
    return LeaderboardReader(board.pk, metric) if board else None


def uncached(today: date, min_players: int = CACHED_FROM) -> list[int]:
    """Large leaderboards of the current periods whose present revision is not in the cache."""
    current = {(period, periods.start(period, today)) for period in periods.PERIODS}
    return [
        board.pk
        for board in Leaderboard.objects.filter(start__in={start for _, start in current})
        if (board.period, board.start) in current
        and not leaderboard_cache.is_current(board.pk, board.revision)
        and LeaderboardStanding.objects.filter(board=board).count() >= min_players
    ]


def fill(board: int) -> None:
    """Fill the cache. Projections do not wait for it: the cache applies the changes that come meanwhile."""
    fill_id = leaderboard_cache.begin_fill(board)
    rows = standings(board) if fill_id else []
    if fill_id and rows:
        players = [(player, dict(zip(METRICS, values, strict=True))) for _, player, *values in rows]
        leaderboard_cache.fill(board, rows[0][0], players, fill_id)


def standings(board: int) -> list[tuple[Any, ...]]:
    """All standings with the revision, in one statement, so that they belong together."""
    return list(LeaderboardStanding.objects.filter(board=board).values_list("board__revision", "player", *METRICS))
