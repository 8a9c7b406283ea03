"""The best answer to rolled Qwixx dice by searching the turn to its end, given a function that values positions."""

from collections.abc import Callable, Sequence

from games.rules import marked_sheet
from games.rules.actions import Action, Mark
from games.rules.layouts.qwixx_layouts import SHEETS
from games.rules.qwixx import CLOSED_ROWS_TO_END, COLOUR, PENALTIES_TO_END, QWIXX, QwixxState
from games.rules.ruleset import TURN_OVER, replaced

Worth = Callable[[QwixxState, int], float]  # of a position in which this seat has nothing more to do in the turn


def best(position: QwixxState, seat: int, options: Sequence[Action], worth: Worth) -> Action:
    """The option with the highest value; the first of equals."""
    return max(options, key=lambda action: _reach(after(position, seat, action), seat, worth))


def _reach(state: QwixxState, seat: int, worth: Worth) -> float:
    """The value of a position; if it is the seat's turn, after its best answer in phase colour."""
    if state.phase != COLOUR or seat != state.active or is_over(state):
        return worth(state, seat)
    return max(worth(after(state, seat, action), seat) for action in QWIXX.options(state, seat))


def after(state: QwixxState, seat: int, action: Action) -> QwixxState:
    """The position after this answer, while all other seats pass."""
    if SHEETS[state.sheet].clauses:
        for fact in QWIXX.decide(state, {seat: action}, _NO_DICE):
            state = QWIXX.evolve(state, fact)
        return state
    return _marked(state, seat, action) if isinstance(action, Mark) else _passed(state, seat)


def is_over(state: QwixxState) -> bool:
    if state.closed.bit_count() >= CLOSED_ROWS_TO_END:
        return True
    return any(marked.penalties >= PENALTIES_TO_END for marked in state.seat_sheets)


def _marked(state: QwixxState, seat: int, action: Mark) -> QwixxState:
    """The result of `decide` and `evolve` on a sheet without clauses, several times faster."""
    sheet = SHEETS[state.sheet]
    cell = sheet.cells[action.row][action.number]
    changed = replaced(state.seat_sheets, seat, marked_sheet.cross(state.seat_sheets[seat], cell.row, cell.column))
    closed, dice = state.closed, state.dice
    if marked_sheet.is_last(sheet, cell.row, cell.column):
        closed |= 1 << cell.row
        dice = {name: die for name, die in (dice or {}).items() if name != sheet.rows[cell.row].lock}
    has_marked = state.has_marked or seat == state.active
    phase = TURN_OVER if state.phase == COLOUR else COLOUR
    return QwixxState(state.sheet, changed, closed, state.turn, state.active, phase, state.roll, dice, has_marked)


def _passed(state: QwixxState, seat: int) -> QwixxState:
    if state.phase != COLOUR:
        return state._replace(phase=COLOUR)
    marked = state.seat_sheets[seat]
    penalty = 0 if state.has_marked else 1
    marked = marked._replace(penalties=marked.penalties + penalty)
    return state._replace(phase=TURN_OVER, seat_sheets=replaced(state.seat_sheets, seat, marked))


class _NoDice:
    """No dice are rolled while marks are compared."""

    def roll(self, _number: int, dice: Sequence[str]) -> tuple[int, ...]:
        raise AssertionError(dice)


_NO_DICE = _NoDice()
