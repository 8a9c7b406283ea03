"""A Qwixx bot with learned weights: it searches the turn to its end for the highest probability of winning.

It plays the classic sheet only, the one for which weights exist.
"""

from collections.abc import Iterator, Sequence
from math import exp
from typing import NamedTuple

from games.bots import qwixx_weights as w
from games.bots.bot import Bot, RandomSource
from games.bots.qwixx_codes import CELLS, CLOSED_BY_OTHER, END, FACE, IS_LOCKABLE, LOCKED, NEXT, Codes, codes_of
from games.rules.actions import Action, Mark
from games.rules.layouts.qwixx_layouts import CLASSIC, SHEETS
from games.rules.qwixx import CLOSED_ROWS_TO_END, COLOUR, PENALTIES_TO_END, QwixxState
from games.rules.qwixx_sheets import COLOURS, PENALTY_POINTS
from games.rules.ruleset import replaced

WEIGHTS = w.learned()


class Other(NamedTuple):
    """Another player."""

    rows: Codes
    penalties: int
    turn: int  # who rolls next: 1 I do, -1 this player, 0 a third player


class QwixxEvaluation:
    """Values sheets of mine against the other players' current sheets."""

    def __init__(self, others: Sequence[Other], closed: int) -> None:
        self.others, self.closed = others, closed
        self.most_penalties = max([other.penalties for other in others])
        self.gone = sum([END[code] for other in others for code in other.rows])
        self.lockable = [max([IS_LOCKABLE[other.rows[row]] for other in others]) for row in range(len(COLOURS))]
        self.against: dict[tuple[int, int], list[float]] = {}

    def closing(self, row: int) -> "QwixxEvaluation":
        """The evaluation after I closed a row."""
        others = [
            other._replace(rows=replaced(other.rows, row, CLOSED_BY_OTHER[other.rows[row]])) for other in self.others
        ]
        return QwixxEvaluation(others, self.closed + 1)

    def chance(self, rows: Codes, penalties: int) -> float:
        """The probability that I win: the product over all other players."""
        if self.closed >= CLOSED_ROWS_TO_END or max(penalties, self.most_penalties) >= PENALTIES_TO_END:
            return self._result(rows, penalties)
        stage, step = self._stage(rows, penalties), self._step(rows)
        own, leads = _own(rows, penalties, stage, step), WEIGHTS.lead[stage]
        points = _points(rows, penalties)
        chance = 1.0
        for other, against in zip(self.others, self._against(stage, step), strict=True):
            logit = own - against + _lead(leads, points - _points(other.rows, other.penalties))
            for mine, theirs in zip(rows, other.rows, strict=True):
                logit += WEIGHTS.facing[mine][theirs]
            chance /= 1 + exp(-logit)
        return chance

    def _result(self, rows: Codes, penalties: int) -> float:
        """The value of a game that is over: the share of the win, and a little for the points."""
        best = max(_points(other.rows, other.penalties) for other in self.others)
        ahead = _points(rows, penalties) - best
        return (ahead > 0) + (ahead == 0) / 2 + ahead / 1e6

    def _stage(self, rows: Codes, penalties: int) -> int:
        """How near the end may be: closed rows, rows that a player could close, the highest number of penalties."""
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
        """How many cells of the sheets are used, scaled to two sheets."""
        red, yellow, green, blue = rows
        gone = self.gone + END[red] + END[yellow] + END[green] + END[blue]
        return gone * 2 // (w.CELLS_A_STEP * (len(self.others) + 1))

    def _against(self, stage: int, step: int) -> list[float]:
        """The value of each other player's own sheet and of rolling next."""
        found = self.against.get((stage, step))
        if found is None:
            found = [
                _own(other.rows, other.penalties, stage, step) - WEIGHTS.roller[stage] * other.turn
                for other in self.others
            ]
            self.against[stage, step] = found
        return found


def where_learned(learned: Bot, other: Bot) -> Bot:
    """A bot that decides like `learned` on the sheet for which weights exist, and like `other` on all other sheets."""

    def bot(position: QwixxState, seat: int, options: Sequence[Action], rng: RandomSource) -> Action:
        return (learned if SHEETS[position.sheet] is CLASSIC else other)(position, seat, options, rng)

    return bot


def choose(position: QwixxState, seat: int, options: Sequence[Action], _rng: RandomSource) -> Action:
    evaluation, rows = evaluation_of(position, seat)
    return max(options, key=lambda action: _reach(position, seat, evaluation, rows, action))


def evaluation_of(position: QwixxState, seat: int) -> tuple[QwixxEvaluation, Codes]:
    """The evaluation for this seat, and its own rows."""
    rows = [codes_of(marked.marks, position.closed) for marked in position.seat_sheets]
    following = (position.active + 1) % len(rows)
    others = [
        Other(rows[other], marked.penalties, (following == seat) - (following == other))
        for other, marked in enumerate(position.seat_sheets)
        if other != seat
    ]
    return QwixxEvaluation(others, position.closed.bit_count()), rows[seat]


def _reach(position: QwixxState, seat: int, evaluation: QwixxEvaluation, rows: Codes, action: Action) -> float:
    """The probability to win after this answer and, if it is still to come, the best answer in phase colour."""
    has_marked = position.has_marked
    if isinstance(action, Mark):
        cell = CLASSIC.cells[action.row][action.number]
        evaluation, rows = _marked(evaluation, rows, cell.row, NEXT[rows[cell.row] * CELLS + cell.column])
        has_marked = has_marked or seat == position.active
    penalties = position.seat_sheets[seat].penalties
    if seat != position.active:
        return evaluation.chance(rows, penalties)
    passed = evaluation.chance(rows, penalties + (not has_marked))
    if position.phase == COLOUR or evaluation.closed >= CLOSED_ROWS_TO_END:
        return passed
    colours = [_marked(evaluation, rows, row, code) for row, code in _colour_marks(position, rows)]
    return max([passed, *(after.chance(changed, penalties) for after, changed in colours)])


def _marked(evaluation: QwixxEvaluation, rows: Codes, row: int, code: int) -> tuple[QwixxEvaluation, Codes]:
    return evaluation.closing(row) if code >= LOCKED else evaluation, replaced(rows, row, code)


def _colour_marks(position: QwixxState, rows: Codes) -> Iterator[tuple[int, int]]:
    """Each row in which a coloured and a white die can be marked, and its code after the mark."""
    dice = position.dice or {}
    for row, colour in enumerate(COLOURS):
        if colour in dice:
            cells = CLASSIC.cells[colour]
            (face,) = dice[colour]
            for number in {white + face for white in dice["white"]}:
                code = NEXT[rows[row] * CELLS + cells[number].column]
                if code >= 0:
                    yield row, code


def _points(rows: Codes, penalties: int) -> int:
    red, yellow, green, blue = rows
    return FACE[red] + FACE[yellow] + FACE[green] + FACE[blue] - PENALTY_POINTS * penalties


def _own(rows: Codes, penalties: int, stage: int, step: int) -> float:
    """The value of a sheet without regard to other players."""
    red, yellow, green, blue = rows
    by_stage, by_step = WEIGHTS.by_stage[stage], WEIGHTS.by_step[step]
    from_red, from_yellow = WEIGHTS.across[red], WEIGHTS.across[yellow]
    return (
        by_stage[red] + by_stage[yellow] + by_stage[green] + by_stage[blue]
        + by_step[red] + by_step[yellow] + by_step[green] + by_step[blue]
        + WEIGHTS.along[red][yellow] + WEIGHTS.along[green][blue]
        + from_red[green] + from_red[blue] + from_yellow[green] + from_yellow[blue]
        + WEIGHTS.penalty[step][penalties]
    )  # fmt: skip


def _lead(worths: Sequence[float], lead: int) -> float:
    size = min(w.LEADS - 1, (abs(lead) + w.POINTS_A_LEAD - 1) // w.POINTS_A_LEAD)
    return worths[size] if lead > 0 else -worths[size] if lead < 0 else 0.0
