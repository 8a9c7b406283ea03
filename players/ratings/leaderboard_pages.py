"""Leaderboards as they are read: pages in order, ranks that ties share, and the caller's own place. Changes nothing.

Pages come from SQL by their index; only a rank has to count, and is asked of the cache first.
"""

from datetime import date
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from django.db import connection
from psycopg import sql

from players.models import Board, Standing
from players.ratings import leaderboard_cache, periods
from players.ratings.leaderboard_cache import METRICS, Place

WORTH_CACHING = 1000  # players: below that SQL counts as fast


class Position(NamedTuple):
    """A point in a board's order: a value, and the player among equals."""

    value: int
    player: UUID


class Row(NamedTuple):
    value: int
    player: UUID
    revision: UUID

    @property
    def position(self) -> Position:
        return Position(self.value, self.player)


class Entry(NamedTuple):
    rank: int
    player: UUID
    value: int


class Page(NamedTuple):
    entries: list[Entry]
    you: Entry | None = None
    before: Position | None = None  # whence to go back
    after: Position | None = None  # whence to go on


ROWS = """
    SELECT {metric}, player, revision FROM players_standing JOIN players_board ON players_board.id = board_id
     WHERE board_id = %s AND ({metric}, player) {beyond} (%s, %s)
     ORDER BY {metric} {order}, player {order} LIMIT %s
"""
OWN = """
    SELECT {metric}, player, revision FROM players_standing JOIN players_board ON players_board.id = board_id
     WHERE board_id = %s AND player = %s
"""
PLACE = """
    SELECT count(*) FILTER (WHERE {metric} > %s), count(*)
      FROM players_standing WHERE board_id = %s AND ({metric}, player) > (%s, %s)
"""
TOP = Position(2**31 - 1, UUID(int=2**128 - 1))


class Reader:
    """One board by one metric."""

    def __init__(self, board: int, metric: str) -> None:
        self.board, self.metric = board, metric

    def page(self, me: UUID, limit: int, *, around_me: bool = False) -> Page:
        """From the top; or with the caller in the middle, if he is on the board at all."""
        own = self._own(me)
        if own is None or not around_me:
            return self._shown(self._below(TOP, limit), own)
        above, below = self._above(own.position, limit - 1), self._below(own.position, limit - 1)
        start = max(len(above) - max((limit - 1) // 2, limit - 1 - len(below)), 0)
        return self._shown([*above[start:], own, *below][:limit], own)

    def after(self, position: Position, me: UUID, limit: int) -> Page:
        return self._shown(self._below(position, limit), self._own(me))

    def before(self, position: Position, me: UUID, limit: int) -> Page:
        return self._shown(self._above(position, limit), self._own(me))

    def place(self, row: Row) -> Place:
        """By the cache where it may be believed, else by counting."""
        known = leaderboard_cache.place(self.board, row.revision, self.metric, row.player, row.value)
        return known or self.counted(row)

    def counted(self, row: Row) -> Place:
        return Place(*self._fetch(PLACE, [row.value, self.board, *row.position])[0])

    def _shown(self, rows: list[Row], own: Row | None) -> Page:
        you = Entry(self.place(own).above + 1, own.player, own.value) if own else None
        if not rows:
            return Page([], you)
        first, last = self.place(rows[0]), rows[-1].position
        entries: list[Entry] = []
        for index, row in enumerate(rows):
            is_tie = index > 0 and row.value == rows[index - 1].value
            rank = entries[-1].rank if is_tie else first.ahead + index + 1 if index else first.above + 1
            entries.append(Entry(rank, row.player, row.value))
        before = rows[0].position if first.ahead else None
        return Page(entries, you, before, last if self._below(last, 1) else None)

    def _own(self, me: UUID) -> Row | None:
        rows = self._fetch(OWN, [self.board, me])
        return Row(*rows[0]) if rows else None

    def _below(self, position: Position, limit: int) -> list[Row]:
        return [Row(*row) for row in self._fetch(ROWS, [self.board, *position, limit], beyond="<", order="DESC")]

    def _above(self, position: Position, limit: int) -> list[Row]:
        rows = self._fetch(ROWS, [self.board, *position, limit], beyond=">", order="ASC")
        return [Row(*row) for row in reversed(rows)]

    def _fetch(self, query: LiteralString, parameters: list[Any], **words: LiteralString) -> list[tuple[Any, ...]]:
        parts = {name: sql.SQL(word) for name, word in words.items()}
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL(query).format(metric=sql.Identifier(self.metric), **parts), parameters)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows


def reader(ruleset: str, period: str, day: date, metric: str) -> Reader | None:
    """None: nobody has played then."""
    board = Board.objects.filter(ruleset=ruleset, period=period, start=periods.start(period, day)).first()
    return Reader(board.pk, metric) if board else None


def cold(today: date, worth: int = WORTH_CACHING) -> list[int]:
    """Current boards that are large, and not in the cache as they are: it was lost, or has never known them."""
    current = {(period, periods.start(period, today)) for period in periods.PERIODS}
    return [
        board.pk
        for board in Board.objects.filter(start__in={start for _, start in current})
        if (board.period, board.start) in current
        and not leaderboard_cache.is_current(board.pk, board.revision)
        and Standing.objects.filter(board=board).count() >= worth
    ]


def fill(board: int) -> None:
    """Whoever projects need not wait for it: the cache catches up with what is changed meanwhile."""
    filling = leaderboard_cache.begin(board)
    rows = standings(board) if filling else []
    if filling and rows:
        players = [(player, dict(zip(METRICS, values, strict=True))) for _, player, *values in rows]
        leaderboard_cache.fill(board, rows[0][0], players, filling)


def standings(board: int) -> list[tuple[Any, ...]]:
    """Rows and revision by one statement: they belong together."""
    return list(Standing.objects.filter(board=board).values_list("board__revision", "player", *METRICS))
