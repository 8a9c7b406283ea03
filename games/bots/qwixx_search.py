"""What a Qwixx player could do with the dice as they lie, to the end of the turn; others are taken to pass.

Knows no strategy: what a position is worth is handed in.
"""

from collections.abc import Callable, Sequence

from games.rules import pads
from games.rules.actions import Action, Mark
from games.rules.qwixx import CLOSED_ROWS_TO_END, COLOUR, PENALTIES_TO_END, QWIXX, State
from games.rules.ruleset import TURN_OVER, replaced
from games.rules.sheets import SHEETS

Worth = Callable[[State, int], float]  # of a position in which this seat has nothing more to do in the turn


def best(position: State, seat: int, options: Sequence[Action], worth: Worth) -> Action:
    """The option that leads to the most; the first of equals."""
    return max(options, key=lambda action: _reach(after(position, seat, action), seat, worth))


def _reach(state: State, seat: int, worth: Worth) -> float:
    """What a position is worth once the seat, if it is its turn, has chosen the best colour as well."""
    if state.phase != COLOUR or seat != state.active or is_over(state):
        return worth(state, seat)
    return max(worth(after(state, seat, action), seat) for action in QWIXX.options(state, seat))


def after(state: State, seat: int, action: Action) -> State:
    """The position after this answer and nobody else's."""
    if SHEETS[state.sheet].clauses:
        for fact in QWIXX.decide(state, {seat: action}, _NO_DICE):
            state = QWIXX.evolve(state, fact)
        return state
    return _marked(state, seat, action) if isinstance(action, Mark) else _passed(state, seat)


def is_over(state: State) -> bool:
    if state.closed.bit_count() >= CLOSED_ROWS_TO_END:
        return True
    return any(pad.penalties >= PENALTIES_TO_END for pad in state.pads)


def _marked(state: State, seat: int, action: Mark) -> State:
    """What `decide` and `evolve` come to where a sheet has no clauses, in a fraction of the time."""
    sheet = SHEETS[state.sheet]
    cell = sheet.cells[action.row][action.number]
    changed = replaced(state.pads, seat, pads.cross(state.pads[seat], cell.row, cell.column))
    closed, dice = state.closed, state.dice
    if pads.is_last(sheet, cell.row, cell.column):
        closed |= 1 << cell.row
        dice = {name: die for name, die in (dice or {}).items() if name != sheet.rows[cell.row].lock}
    marked = state.marked or seat == state.active
    phase = TURN_OVER if state.phase == COLOUR else COLOUR
    return State(state.sheet, changed, closed, state.turn, state.active, phase, state.roll, dice, marked)


def _passed(state: State, seat: int) -> State:
    if state.phase != COLOUR:
        return state._replace(phase=COLOUR)
    pad = state.pads[seat]
    penalty = 0 if state.marked else 1
    return state._replace(
        phase=TURN_OVER, pads=replaced(state.pads, seat, pad._replace(penalties=pad.penalties + penalty))
    )


class _NoDice:
    """Nothing is thrown while marks are weighed."""

    def roll(self, _number: int, dice: Sequence[str]) -> tuple[int, ...]:
        raise AssertionError(dice)


_NO_DICE = _NoDice()
