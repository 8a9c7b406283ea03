"""Qwixx by a learned table: the chance of winning as a sum of look-ups, and the turn searched to its end.

Plays the classic sheet; on any other, where nothing was learned, it plays by rows.
"""

from collections.abc import Iterator, Sequence
from math import exp
from typing import NamedTuple

from games.bots import qwixx_rows
from games.bots import qwixx_weights as w
from games.bots.player import Luck
from games.bots.qwixx_codes import CELLS, DIES, END, FACE, IS_LOCKABLE, LOCKED, NEXT, Codes, codes_of
from games.rules.actions import Action, Mark
from games.rules.qwixx import CLOSED_ROWS_TO_END, COLOUR, PENALTIES_TO_END, PENALTY_POINTS, QwixxState
from games.rules.qwixx_sheets import CLASSIC, COLOURS, SHEETS
from games.rules.ruleset import replaced

TABLE = w.learned()


class Other(NamedTuple):
    """Another player, seen by the one who judges."""

    rows: Codes
    penalties: int
    turn: int  # 1 if it is I who rolls before him next, -1 if he does, 0 if somebody else


class Judge:
    """What a pad of mine is worth against the others as they stand."""

    def __init__(self, others: Sequence[Other], closed: int) -> None:
        self.others, self.closed = others, closed
        self.most_penalties = max([other.penalties for other in others])
        self.gone = sum([END[code] for other in others for code in other.rows])
        self.lockable = [max([IS_LOCKABLE[other.rows[row]] for other in others]) for row in range(len(COLOURS))]
        self.against: dict[tuple[int, int], list[float]] = {}

    def closing(self, row: int) -> "Judge":
        """The judge after I closed a row."""
        others = [other._replace(rows=replaced(other.rows, row, DIES[other.rows[row]])) for other in self.others]
        return Judge(others, self.closed + 1)

    def chance(self, rows: Codes, penalties: int) -> float:
        """That I win: for two by the table, for more as the product over all others."""
        if self.closed >= CLOSED_ROWS_TO_END or max(penalties, self.most_penalties) >= PENALTIES_TO_END:
            return self._result(rows, penalties)
        stage, step = self._stage(rows, penalties), self._step(rows)
        own, leads = _own(rows, penalties, stage, step), TABLE.lead[stage]
        points = _points(rows, penalties)
        chance = 1.0
        for other, against in zip(self.others, self._against(stage, step), strict=True):
            logit = own - against + _lead(leads, points - _points(other.rows, other.penalties))
            for mine, theirs in zip(rows, other.rows, strict=True):
                logit += TABLE.facing[mine][theirs]
            chance /= 1 + exp(-logit)
        return chance

    def _result(self, rows: Codes, penalties: int) -> float:
        """What it has come to: the part of the win, and a little for the points."""
        best = max(_points(other.rows, other.penalties) for other in self.others)
        ahead = _points(rows, penalties) - best
        return (ahead > 0) + (ahead == 0) / 2 + ahead / 1e6

    def _stage(self, rows: Codes, penalties: int) -> int:
        """How near the end may be: rows closed, rows that somebody could close, the most penalties of anybody."""
        red, yellow, green, blue = rows
        theirs = self.lockable
        lockable = (
            (IS_LOCKABLE[red] | theirs[0])
            + (IS_LOCKABLE[yellow] | theirs[1])
            + (IS_LOCKABLE[green] | theirs[2])
            + (IS_LOCKABLE[blue] | theirs[3])
        )
        return (self.closed * 5 + lockable) * 4 + max(penalties, self.most_penalties)

    def _step(self, rows: Codes) -> int:
        """How much of the pads is gone, as if there were two of them."""
        red, yellow, green, blue = rows
        gone = self.gone + END[red] + END[yellow] + END[green] + END[blue]
        return gone * 2 // (w.CELLS_A_STEP * (len(self.others) + 1))

    def _against(self, stage: int, step: int) -> list[float]:
        """What each other has for himself, and what the next roll is worth to him."""
        found = self.against.get((stage, step))
        if found is None:
            found = [
                _own(other.rows, other.penalties, stage, step) - TABLE.roller[stage] * other.turn
                for other in self.others
            ]
            self.against[stage, step] = found
        return found


def choose(position: QwixxState, seat: int, options: Sequence[Action], luck: Luck) -> Action:
    if SHEETS[position.sheet] is not CLASSIC:
        return qwixx_rows.choose(position, seat, options, luck)
    judge, rows = judged(position, seat)
    return max(options, key=lambda action: _reach(position, seat, judge, rows, action))


def judged(position: QwixxState, seat: int) -> tuple[Judge, Codes]:
    """Who judges for this seat, and its own rows."""
    rows = [codes_of(marked.marks, position.closed) for marked in position.seat_sheets]
    following = (position.active + 1) % len(rows)
    others = [
        Other(rows[other], marked.penalties, (following == seat) - (following == other))
        for other, marked in enumerate(position.seat_sheets)
        if other != seat
    ]
    return Judge(others, position.closed.bit_count()), rows[seat]


def _reach(position: QwixxState, seat: int, judge: Judge, rows: Codes, action: Action) -> float:
    """The chance to win after this answer, the best colour included if that is still to come; others pass."""
    has_marked = position.has_marked
    if isinstance(action, Mark):
        cell = CLASSIC.cells[action.row][action.number]
        judge, rows = _marked(judge, rows, cell.row, NEXT[rows[cell.row] * CELLS + cell.column])
        has_marked = has_marked or seat == position.active
    penalties = position.seat_sheets[seat].penalties
    if seat != position.active:
        return judge.chance(rows, penalties)
    passed = judge.chance(rows, penalties + (not has_marked))
    if position.phase == COLOUR or judge.closed >= CLOSED_ROWS_TO_END:
        return passed
    colours = [_marked(judge, rows, row, code) for row, code in _colour_marks(position, rows)]
    return max([passed, *(after.chance(changed, penalties) for after, changed in colours)])


def _marked(judge: Judge, rows: Codes, row: int, code: int) -> tuple[Judge, Codes]:
    return judge.closing(row) if code >= LOCKED else judge, replaced(rows, row, code)


def _colour_marks(position: QwixxState, rows: Codes) -> Iterator[tuple[int, int]]:
    """Each row that a coloured die and a white one can be marked in, and its code after that."""
    dice = position.dice or {}
    for row, colour in enumerate(COLOURS):
        if colour in dice:
            cells = CLASSIC.cells[colour]
            for number in {white + dice[colour] for white in dice["white"]}:
                code = NEXT[rows[row] * CELLS + cells[number].column]
                if code >= 0:
                    yield row, code


def _points(rows: Codes, penalties: int) -> int:
    red, yellow, green, blue = rows
    return FACE[red] + FACE[yellow] + FACE[green] + FACE[blue] - PENALTY_POINTS * penalties


def _own(rows: Codes, penalties: int, stage: int, step: int) -> float:
    """What a pad is worth by itself."""
    red, yellow, green, blue = rows
    by_stage, by_step = TABLE.by_stage[stage], TABLE.by_step[step]
    from_red, from_yellow = TABLE.across[red], TABLE.across[yellow]
    return (
        by_stage[red] + by_stage[yellow] + by_stage[green] + by_stage[blue]
        + by_step[red] + by_step[yellow] + by_step[green] + by_step[blue]
        + TABLE.along[red][yellow] + TABLE.along[green][blue]
        + from_red[green] + from_red[blue] + from_yellow[green] + from_yellow[blue]
        + TABLE.penalty[step][penalties]
    )  # fmt: skip


def _lead(worths: Sequence[float], lead: int) -> float:
    size = min(w.LEADS - 1, (abs(lead) + w.POINTS_A_LEAD - 1) // w.POINTS_A_LEAD)
    return worths[size] if lead > 0 else -worths[size] if lead < 0 else 0.0
