"""The rules of Qwixx, for every sheet: what a turn is, what may be marked, what follows and what it scores.

Rule numbers are those of `docs/rules.md`. A sheet's printed extras are clauses; no sheet is named here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, assert_never

from games.rules import pads
from games.rules.actions import PASS, Action, Mark, Pass, Roll
from games.rules.facts import Dice, DiceRolled, Fact, PhaseClosed, TurnStarted
from games.rules.ruleset import ROLL, TURN_OVER, DiceSource, Phase, replaced, untimely
from games.rules.sheets import COLOURS, SHEETS, Cell, Marking, Pad, Sheet

WHITE, COLOUR = "white", "colour"
ROLL_DICE = Roll()
PENALTY_POINTS = 5
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
    """A clause of the sheet has something to remember on this seat's pad."""

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


class State(NamedTuple):
    sheet: str
    pads: tuple[Pad, ...]
    closed: int = 0  # a bit per row that is closed to everybody
    turn: int = 0
    active: int = 0
    phase: str = TURN_OVER
    roll: int = 0
    dice: Dice | None = None
    marked: bool = False  # has the active seat marked anything this turn?


class Qwixx:
    key = "qwixx"
    seats = range(2, 6)
    state = State
    facts: Mapping[str, type[Any]] = {
        "cell_marked": CellMarked,
        "note_made": NoteMade,
        "row_closed": RowClosed,
        "penalty_taken": PenaltyTaken,
    }
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

    def opening(self, sheet: str, seats: int) -> State:
        return State(sheet, (SHEETS[sheet].opening(),) * seats)

    # May I?

    def options(self, state: State, seat: int) -> tuple[Action, ...]:
        if state.phase == TURN_OVER or (state.phase != WHITE and seat != state.active):
            return ()
        if state.phase == ROLL:
            return (ROLL_DICE,)
        sheet, pad = SHEETS[state.sheet], state.pads[seat]
        if state.phase == WHITE:
            return _white_options(sheet, state.closed, pad, sum((state.dice or {})["white"]))
        return _open_to(sheet, state.closed, pad, _colour_cells(state, pad, state.dice or {}))

    def refusal(self, state: State, seat: int, action: Action) -> str | None:
        code = untimely(self.phases, state, seat, action)
        if code is not None or isinstance(action, Pass):
            return code
        if isinstance(action, Mark):
            return _mark_refusal(state, state.pads[seat], action)
        return None if action == ROLL_DICE else "choose_dice"

    # What follows?

    def decide(self, state: State, answers: Mapping[int, Action], dice_source: DiceSource) -> tuple[QwixxFact, ...]:
        if state.phase == ROLL:
            return (_rolled_dice(state, dice_source),)
        closing: dict[str, tuple[int, ...]] = {}
        facts: list[QwixxFact] = [PhaseClosed(state.phase)]
        for seat, action in sorted(answers.items()):
            if isinstance(action, Mark):
                facts += _marks(state, seat, action, closing)
        facts += [RowClosed(row.key, closing[row.key]) for row in SHEETS[state.sheet].rows if row.key in closing]
        if state.phase == COLOUR and not state.marked and isinstance(answers.get(state.active), Pass):
            facts.append(PenaltyTaken(state.active))
        return tuple(facts)

    def evolve(self, state: State, fact: QwixxFact) -> State:
        match fact:
            case CellMarked(seat=seat, row=row, number=number):
                marked = state.marked or seat == state.active
                return state._replace(pads=_crossed(state, seat, row, number), marked=marked)
            case PhaseClosed(phase=phase):
                return state._replace(phase=COLOUR if phase == WHITE else TURN_OVER)
            case DiceRolled(roll=roll, dice=dice):
                return state._replace(phase=WHITE, roll=roll, dice=dice)
            case TurnStarted(seat=seat, turn=turn):
                return state._replace(phase=ROLL, turn=turn, active=seat, dice=None, marked=False)
            case PenaltyTaken(seat=seat):
                pad = state.pads[seat]
                pad = pad._replace(penalties=pad.penalties + 1)
                return state._replace(pads=replaced(state.pads, seat, pad))
            case RowClosed(row=row):
                return _closed(state, row)
            case NoteMade(seat=seat, clause=clause, note=note):
                return _noted(state, seat, clause, note)
            case _:
                assert_never(fact)

    # When is it over, and what does it pay?

    def ending(self, state: State) -> str | None:
        if state.closed.bit_count() >= CLOSED_ROWS_TO_END:
            return "two_rows_closed"
        for pad in state.pads:
            if pad.penalties >= PENALTIES_TO_END:
                return "four_penalties"
        return None

    def points(self, state: State, seat: int) -> dict[str, int]:
        return {**_shown(SHEETS[state.sheet], state.pads[seat])["points"]}

    def pad(self, state: State, seat: int) -> dict[str, Any]:
        shown = _shown(SHEETS[state.sheet], state.pads[seat])
        rows = {key: [*numbers] for key, numbers in shown["rows"].items()}
        return {**shown, "rows": rows, "points": {**shown["points"]}}

    def dice_view(self, state: State) -> dict[str, Any]:
        return {"dice": state.dice}

    def closed_rows(self, state: State) -> list[str]:
        return [row.key for index, row in enumerate(SHEETS[state.sheet].rows) if state.closed >> index & 1]


@lru_cache(maxsize=16_384)
def _shown(sheet: Sheet, pad: Pad) -> dict[str, Any]:
    """A pad as players see it, kept: a move changes one pad or none, and all are shown after it. Give out copies."""
    rows = {
        row.key: [number for column, number in enumerate(row.numbers) if marks >> column & 1]
        for row, marks in zip(sheet.rows, pad.marks, strict=True)
    }
    locks = [sheet.rows[index].key for index in sheet.scored_rows if pads.has_last(sheet, pad, index)]
    shown = {"rows": rows, "locks": locks, "penalties": pad.penalties, "points": _points(sheet, pad)}
    extras = [{"key": clause.key, **clause.shows(pad, note)} for clause, note in sheet.extras(pad)]
    return {**shown, "extras": extras} if extras else shown


def _points(sheet: Sheet, pad: Pad) -> dict[str, int]:
    rows = {sheet.rows[index].key: pads.row_points(sheet, pad, index) for index in sheet.scored_rows}
    penalties = -PENALTY_POINTS * pad.penalties
    extra = {"bonus": pads.bonus(sheet, pad, tuple(rows.values()))} if sheet.clauses else {}
    parts = {**rows, **extra, "penalties": penalties}
    return {**parts, "total": sum(parts.values())}


def _rolled_dice(state: State, dice_source: DiceSource) -> DiceRolled:
    rows = SHEETS[state.sheet].rows
    gone = {row.lock for index, row in enumerate(rows) if state.closed >> index & 1}
    coloured = [colour for colour in COLOURS if colour not in gone]
    first, second, *others = dice_source.roll(state.roll + 1, ["white1", "white2", *coloured])
    dice = {"white": [first, second], **dict(zip(coloured, others, strict=True))}
    return DiceRolled(state.active, state.roll + 1, dice)


def _mark_refusal(state: State, pad: Pad, action: Mark) -> str | None:
    sheet = SHEETS[state.sheet]
    row = sheet.cells.get(action.row)
    if row is None:
        return "no_such_row"
    cell = row.get(action.number)
    if cell is None:
        return "no_such_number"
    if not state.closed >> cell.row & 1 and cell not in _rolled(state, pad):
        return "number_not_rolled"
    return _cell_refusal(sheet, state.closed, pad, cell)


def _cell_refusal(sheet: Sheet, closed: int, pad: Pad, cell: Cell) -> str | None:
    """Whatever was rolled: may this cell be crossed?"""
    if closed >> cell.row & 1:
        return "row_closed"
    code = pads.order_refusal(sheet, pad, cell.row, cell.column)
    for clause, note in sheet.extras(pad):
        code = clause.amends(pad, note, cell.row, cell.column, code)
    return code


def _open_to(sheet: Sheet, closed: int, pad: Pad, cells: Iterable[Cell]) -> tuple[Action, ...]:
    """Marks in those of these cells that may be crossed, or none."""
    return (*[cell.mark for cell in cells if _cell_refusal(sheet, closed, pad, cell) is None], PASS)


@lru_cache(maxsize=16_384)
def _white_options(sheet: Sheet, closed: int, pad: Pad, white_sum: int) -> tuple[Action, ...]:
    """Kept: every seat is asked at once, and each is shown its options several times."""
    return _open_to(sheet, closed, pad, _white_cells(sheet, pad, white_sum))


def _rolled(state: State, pad: Pad) -> Iterable[Cell]:
    """The cells whose number lies on the table for this player, whether they may be crossed or not."""
    dice = state.dice or {}
    if state.phase == WHITE:
        return _white_cells(SHEETS[state.sheet], pad, sum(dice["white"]))
    return _colour_cells(state, pad, dice)


def _white_cells(sheet: Sheet, pad: Pad, white_sum: int) -> tuple[Cell, ...]:
    """Rule 1.3, action 1: the white sum in any row, or what the sheet lets this player swap it for."""
    cells = sheet.by_number[white_sum]
    for clause, note in sheet.extras(pad):
        for number in clause.swaps(pad, note, white_sum):
            cells += sheet.by_number[number]
    return cells


def _colour_cells(state: State, pad: Pad, dice: Dice) -> dict[Cell, None]:
    """Rule 1.3, action 2: one white die and one coloured die, in a cell of that colour."""
    sheet = SHEETS[state.sheet]
    cells: dict[Cell, None] = {}
    for colour in COLOURS:
        if colour in dice:
            for number in (dice["white"][0] + dice[colour], dice["white"][1] + dice[colour]):
                cells.update(dict.fromkeys(sheet.by_colour.get((colour, number), ())))
                for cell in sheet.by_colour.get(("", number), ()):
                    if any(colour in clause.colours(pad, cell.row, cell.column) for clause in sheet.clauses):
                        cells[cell] = None
    return cells


def _marks(state: State, seat: int, action: Mark, closing: dict[str, tuple[int, ...]]) -> Iterator[QwixxFact]:
    """The mark and all that it forces; rows whose last cell it reaches are added to `closing`."""
    sheet, pad = SHEETS[state.sheet], state.pads[seat]
    cell = sheet.cells[action.row][action.number]
    white_sum = sum((state.dice or {})["white"]) if state.phase == WHITE else None
    again = bool(pad.marks[cell.row] >> cell.column & 1)
    markings = [Marking(cell.row, cell.column, state.closed, white_sum, again)]
    pad = pads.cross(pad, cell.row, cell.column)
    for marking in markings:
        row = sheet.rows[marking.row]
        yield CellMarked(seat, row.key, row.numbers[marking.column], state.phase)
        if pads.is_last(sheet, marking.row, marking.column):
            closing[row.key] = (*closing.get(row.key, ()), seat)
        for index, clause in enumerate(sheet.clauses):
            note, forced = clause.follows(pad, pad.notes[index], marking)
            if note != pad.notes[index]:
                pad = pads.note(pad, index, note)
                yield NoteMade(seat, clause.key, note)
            for place in forced:  # crossed at once: what these force in turn must not fall on one of them
                markings.append(Marking(*place, state.closed))
                pad = pads.cross(pad, *place)


def _crossed(state: State, seat: int, row: str, number: int) -> tuple[Pad, ...]:
    cell = SHEETS[state.sheet].cells[row][number]
    return replaced(state.pads, seat, pads.cross(state.pads[seat], cell.row, cell.column))


def _closed(state: State, key: str) -> State:
    sheet = SHEETS[state.sheet]
    index = sheet.index[key]
    dice = {name: die for name, die in (state.dice or {}).items() if name != sheet.rows[index].lock}
    return state._replace(closed=state.closed | 1 << index, dice=dice)


def _noted(state: State, seat: int, clause: str, note: int) -> State:
    index = [c.key for c in SHEETS[state.sheet].clauses].index(clause)
    return state._replace(pads=replaced(state.pads, seat, pads.note(state.pads[seat], index, note)))


QWIXX = Qwixx()
