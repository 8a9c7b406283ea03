"""The rules of Qwixx for every sheet: phases of a turn, allowed answers, their consequences and the score.

Rule numbers are those of `docs/rules.md`. A sheet's printed extras are clauses; no sheet is named here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, assert_never

from games.rules import marked_sheet
from games.rules.actions import PASS, Action, Mark, Pass, Roll
from games.rules.facts import Dice, DiceRolled, Fact, PhaseClosed, TurnStarted
from games.rules.layouts.qwixx_layouts import SHEETS
from games.rules.qwixx_sheets import COLOURS, PENALTY_POINTS, MarkedSheet, Marking, QwixxCell, QwixxSheet
from games.rules.ruleset import ROLL, TURN_OVER, Answers, DiceRoller, Phase, in_order, replaced, turn_refusal

WHITE, COLOUR = "white", "colour"
ROLL_DICE = Roll()
PENALTIES_TO_END = 4
CLOSED_ROWS_TO_END = 2


@dataclass(frozen=True, slots=True)
class CellMarked(Fact):
    """A number was crossed out."""

    seat: int
    row: str
    number: int
    phase: str


@dataclass(frozen=True, slots=True)
class NoteMade(Fact):
    """A clause of the sheet stores a number for this seat."""

    seat: int
    clause: str
    note: int


@dataclass(frozen=True, slots=True)
class RowClosed(Fact):
    """`seats` marked the last number: each of them crosses the lock."""

    row: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PenaltyTaken(Fact):
    """The active seat marked nothing in its turn."""

    seat: int


QwixxFact = TurnStarted | DiceRolled | PhaseClosed | CellMarked | NoteMade | RowClosed | PenaltyTaken


class QwixxState(NamedTuple):
    sheet: str
    seat_sheets: tuple[MarkedSheet, ...]
    closed: int = 0  # a bit per row that is closed to all seats
    turn: int = 0
    active: int = 0
    phase: str = TURN_OVER
    roll: int = 0
    dice: Dice | None = None
    has_marked: bool = False  # has the active seat marked anything this turn?
    printings: tuple[str, ...] = ()  # of each seat, where the sheet has several

    def sheet_of(self, seat: int) -> QwixxSheet:
        """The sheet as printed for this seat."""
        sheet = SHEETS[self.sheet]
        return sheet.printings[self.printings[seat]] if self.printings else sheet


class Qwixx:
    key = "qwixx"
    seats = range(2, 6)
    state = QwixxState
    facts: Mapping[str, type[Any]] = {
        "cell_marked": CellMarked,
        "note_made": NoteMade,
        "row_closed": RowClosed,
        "penalty_taken": PenaltyTaken,
    }
    box = PenaltyTaken
    phases: Mapping[str, Phase] = {
        ROLL: Phase((Roll,), everyone=False, clock="roll_s", silence=ROLL_DICE),
        WHITE: Phase((Mark, Pass), everyone=True, clock="answer_s", silence=PASS),
        COLOUR: Phase((Mark, Pass), everyone=False, clock="answer_s", silence=PASS),
    }

    @property
    def sheets(self) -> tuple[str, ...]:
        return tuple(SHEETS)

    def description(self) -> dict[str, Any]:
        penalties = {"points": -PENALTY_POINTS, "boxes": PENALTIES_TO_END}
        sheets = [{**sheet.description(), "penalties": penalties} for sheet in SHEETS.values()]
        return {"dice": [WHITE, WHITE, *COLOURS], "sheets": sheets}

    def printings(self, sheet: str) -> tuple[str, ...]:
        names = tuple(SHEETS[sheet].printings)
        return names if len(names) > 1 else ()

    def opening(self, sheet: str, seats: int, printings: tuple[str, ...] = ()) -> QwixxState:
        printings = printings or in_order(self.printings(sheet), seats)
        return QwixxState(sheet, (SHEETS[sheet].opening(),) * seats, printings=printings)

    # Which answers are allowed

    def options(self, state: QwixxState, seat: int) -> tuple[Action, ...]:
        if state.phase == TURN_OVER or (state.phase != WHITE and seat != state.active):
            return ()
        if state.phase == ROLL:
            return (ROLL_DICE,)
        sheet, marked = state.sheet_of(seat), state.seat_sheets[seat]
        if state.phase == WHITE:
            return _white_options(sheet, state.closed, marked, sum((state.dice or {})["white"]))
        return _allowed(sheet, state.closed, marked, _colour_cells(sheet, marked, state.dice or {}))

    def refusal(self, state: QwixxState, seat: int, action: Action) -> str | None:
        code = turn_refusal(self.phases, state, seat, action)
        if code is not None or isinstance(action, Pass):
            return code
        if isinstance(action, Mark):
            return _mark_refusal(state, seat, action)
        return None if action == ROLL_DICE else "choose_dice"

    # What follows from the answers

    def decide(self, state: QwixxState, answers: Answers, dice_source: DiceRoller) -> tuple[QwixxFact, ...]:
        if state.phase == ROLL:
            return (_rolled_dice(state, dice_source),)
        closing: dict[str, tuple[int, ...]] = {}
        facts: list[QwixxFact] = [PhaseClosed(state.phase)]
        for seat, action in sorted(answers.items()):
            if isinstance(action, Mark):
                facts += _marks(state, seat, action, closing)
        facts += [RowClosed(row.key, closing[row.key]) for row in SHEETS[state.sheet].rows if row.key in closing]
        if state.phase == COLOUR and not state.has_marked and isinstance(answers.get(state.active), Pass):
            facts.append(PenaltyTaken(state.active))
        return tuple(facts)

    def evolve(self, state: QwixxState, fact: QwixxFact) -> QwixxState:
        match fact:
            case CellMarked(seat=seat, row=row, number=number):
                has_marked = state.has_marked or seat == state.active
                return state._replace(seat_sheets=_crossed(state, seat, row, number), has_marked=has_marked)
            case PhaseClosed(phase=phase):
                return state._replace(phase=COLOUR if phase == WHITE else TURN_OVER)
            case DiceRolled(roll=roll, dice=dice):
                return state._replace(phase=WHITE, roll=roll, dice=dice)
            case TurnStarted(seat=seat, turn=turn):
                return state._replace(phase=ROLL, turn=turn, active=seat, dice=None, has_marked=False)
            case PenaltyTaken(seat=seat):
                marked = state.seat_sheets[seat]
                marked = marked._replace(penalties=marked.penalties + 1)
                return state._replace(seat_sheets=replaced(state.seat_sheets, seat, marked))
            case RowClosed(row=row):
                return _closed(state, row)
            case NoteMade(seat=seat, clause=clause, note=note):
                return _noted(state, seat, clause, note)
            case _:
                assert_never(fact)

    # When the game is over, and what a seat scores

    def ending(self, state: QwixxState) -> str | None:
        if state.closed.bit_count() >= CLOSED_ROWS_TO_END:
            return "two_rows_closed"
        for marked in state.seat_sheets:
            if marked.penalties >= PENALTIES_TO_END:
                return "four_penalties"
        return None

    def boxes_left(self, state: QwixxState, seat: int) -> int:
        return PENALTIES_TO_END - state.seat_sheets[seat].penalties

    def points(self, state: QwixxState, seat: int) -> dict[str, int]:
        return {**_shown(state.sheet_of(seat), state.seat_sheets[seat])["points"]}

    def sheet_view(self, state: QwixxState, seat: int) -> dict[str, Any]:
        shown = _shown(state.sheet_of(seat), state.seat_sheets[seat])
        rows = {key: [*numbers] for key, numbers in shown["rows"].items()}
        printing = {"printing": state.printings[seat]} if state.printings else {}
        return {**shown, "rows": rows, "points": {**shown["points"]}, **printing}

    def dice_view(self, state: QwixxState) -> dict[str, Any]:
        return {"dice": state.dice}

    def closed_rows(self, state: QwixxState) -> list[str]:
        return [row.key for index, row in enumerate(SHEETS[state.sheet].rows) if state.closed >> index & 1]


@lru_cache(maxsize=16_384)
def _shown(sheet: QwixxSheet, marked: MarkedSheet) -> dict[str, Any]:
    """The sheet as players see it. Cached, because a move changes one sheet at most and shows all; return copies."""
    rows = {
        row.key: [number for column, number in enumerate(row.numbers) if marks >> column & 1]
        for row, marks in zip(sheet.rows, marked.marks, strict=True)
    }
    locks = [sheet.rows[index].key for index in sheet.scored_rows if marked_sheet.has_last(sheet, marked, index)]
    shown = {"rows": rows, "locks": locks, "penalties": marked.penalties, "points": _points(sheet, marked)}
    extras = [{"key": clause.key, **clause.shows(marked, note)} for clause, note in sheet.extras(marked)]
    return {**shown, "extras": extras} if extras else shown


def _points(sheet: QwixxSheet, marked: MarkedSheet) -> dict[str, int]:
    rows = {sheet.rows[index].key: marked_sheet.row_points(sheet, marked, index) for index in sheet.scored_rows}
    penalties = -PENALTY_POINTS * marked.penalties
    extra = {"bonus": marked_sheet.bonus(sheet, marked, tuple(rows.values()))} if sheet.clauses else {}
    parts = {**rows, **extra, "penalties": penalties}
    return {**parts, "total": sum(parts.values())}


def _rolled_dice(state: QwixxState, dice_source: DiceRoller) -> DiceRolled:
    rows = SHEETS[state.sheet].rows
    gone = {row.lock for index, row in enumerate(rows) if state.closed >> index & 1}
    coloured = [colour for colour in COLOURS if colour not in gone]
    first, second, *others = dice_source.roll(state.roll + 1, ["white1", "white2", *coloured])
    dice = {"white": [first, second], **{colour: [face] for colour, face in zip(coloured, others, strict=True)}}
    return DiceRolled(state.active, state.roll + 1, dice)


def _mark_refusal(state: QwixxState, seat: int, action: Mark) -> str | None:
    sheet, marked = state.sheet_of(seat), state.seat_sheets[seat]
    row = sheet.cells.get(action.row)
    if row is None:
        return "no_such_row"
    cell = row.get(action.number)
    if cell is None:
        return "no_such_number"
    if not state.closed >> cell.row & 1 and cell not in _rolled_cells(state, sheet, marked):
        return "number_not_rolled"
    return _cell_refusal(sheet, state.closed, marked, cell)


def _cell_refusal(sheet: QwixxSheet, closed: int, marked: MarkedSheet, cell: QwixxCell) -> str | None:
    """The code of the rule that forbids crossing this cell, the dice apart."""
    if closed >> cell.row & 1:
        return "row_closed"
    code = marked_sheet.order_refusal(sheet, marked, cell.row, cell.column)
    for at, clause in sheet.amending:
        code = clause.amends(marked, marked.notes[at], cell.row, cell.column, code)
    return code


def _allowed(sheet: QwixxSheet, closed: int, marked: MarkedSheet, cells: Iterable[QwixxCell]) -> tuple[Action, ...]:
    """A mark for each of these cells that may be crossed, and a pass."""
    return (*[cell.mark for cell in cells if _cell_refusal(sheet, closed, marked, cell) is None], PASS)


@lru_cache(maxsize=16_384)
def _white_options(sheet: QwixxSheet, closed: int, marked: MarkedSheet, white_sum: int) -> tuple[Action, ...]:
    """Cached, because the options of every seat are needed several times in this phase."""
    return _allowed(sheet, closed, marked, _white_cells(sheet, marked, white_sum))


def _rolled_cells(state: QwixxState, sheet: QwixxSheet, marked: MarkedSheet) -> Iterable[QwixxCell]:
    """The cells whose number this player has rolled, whether they may be crossed or not."""
    dice = state.dice or {}
    if state.phase == WHITE:
        return _white_cells(sheet, marked, sum(dice["white"]))
    return _colour_cells(sheet, marked, dice)


def _white_cells(sheet: QwixxSheet, marked: MarkedSheet, white_sum: int) -> tuple[QwixxCell, ...]:
    """Rule 1.3, action 1: the white sum in any row, or a number that the sheet allows in its place."""
    cells = sheet.by_number[white_sum]
    for at, clause in sheet.swapping:
        for number in clause.swaps(marked.notes[at], white_sum):
            cells += sheet.by_number[number]
    return cells


def _colour_cells(sheet: QwixxSheet, marked: MarkedSheet, dice: Dice) -> dict[QwixxCell, None]:
    """Rule 1.3, action 2: one white die and one coloured die, in a cell of that colour."""
    cells: dict[QwixxCell, None] = {}
    for colour in COLOURS:
        if colour in dice:
            (face,) = dice[colour]
            for number in (dice["white"][0] + face, dice["white"][1] + face):
                cells.update(dict.fromkeys(sheet.by_colour.get((colour, number), ())))
                for _, clause in sheet.admitting:
                    for cell in sheet.by_colour.get(("", number), ()):
                        if clause.admits(marked, cell.row, cell.column, colour):
                            cells[cell] = None
    return cells


def _marks(state: QwixxState, seat: int, action: Mark, closing: dict[str, tuple[int, ...]]) -> Iterator[QwixxFact]:
    """The mark and the marks that clauses force; adds each row whose last cell is crossed to `closing`."""
    sheet, marked = state.sheet_of(seat), state.seat_sheets[seat]
    cell = sheet.cells[action.row][action.number]
    white_sum = sum((state.dice or {})["white"]) if state.phase == WHITE else None
    again = bool(marked.marks[cell.row] >> cell.column & 1)
    markings = [Marking(cell.row, cell.column, state.closed, white_sum, again)]
    marked = marked_sheet.cross(marked, cell.row, cell.column)
    for marking in markings:
        row = sheet.rows[marking.row]
        yield CellMarked(seat, row.key, row.numbers[marking.column], state.phase)
        if marked_sheet.is_last(sheet, marking.row, marking.column):
            closing[row.key] = (*closing.get(row.key, ()), seat)
        for index, clause in enumerate(sheet.clauses):
            note, forced = clause.follows(sheet, marked, marked.notes[index], marking)
            if note != marked.notes[index]:
                marked = marked_sheet.note(marked, index, note)
                yield NoteMade(seat, clause.key, note)
            for place in forced:  # crossed at once, so that a later forced mark does not choose the same cell
                markings.append(Marking(*place, state.closed))
                marked = marked_sheet.cross(marked, *place)


def _crossed(state: QwixxState, seat: int, row: str, number: int) -> tuple[MarkedSheet, ...]:
    cell = SHEETS[state.sheet].cells[row][number]
    return replaced(state.seat_sheets, seat, marked_sheet.cross(state.seat_sheets[seat], cell.row, cell.column))


def _closed(state: QwixxState, key: str) -> QwixxState:
    sheet = SHEETS[state.sheet]
    index = sheet.index[key]
    dice = {name: die for name, die in (state.dice or {}).items() if name != sheet.rows[index].lock}
    return state._replace(closed=state.closed | 1 << index, dice=dice)


def _noted(state: QwixxState, seat: int, clause: str, note: int) -> QwixxState:
    index = [c.key for c in state.sheet_of(seat).clauses].index(clause)
    marked = marked_sheet.note(state.seat_sheets[seat], index, note)
    return state._replace(seat_sheets=replaced(state.seat_sheets, seat, marked))


QWIXX = Qwixx()
