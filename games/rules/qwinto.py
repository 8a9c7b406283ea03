"""The rules of Qwinto: phases of a turn, allowed answers, their consequences and the score (rules of docs/rules.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, NamedTuple, assert_never

from games.rules.actions import PASS, Action, Keep, Pass, Reroll, Roll, Write
from games.rules.facts import Dice, DiceKept, DiceRolled, Fact, PhaseClosed, TurnStarted
from games.rules.ruleset import ROLL, TURN_OVER, Answers, DiceRoller, Phase, replaced, turn_refusal

KEEP, WRITE = "keep", "write"
COLOURS = ("orange", "yellow", "purple")
THROWS = tuple(Roll(dice) for count in (1, 2, 3) for dice in combinations(COLOURS, count))
FAIL_POINTS = 5
FAILS_TO_END = 4
FULL_ROWS_TO_END = 2


class QwintoCell(NamedTuple):
    """One printed cell: its row, its place in the row, the other cells of its column, and the action that fills it."""

    row: int
    place: int
    column_mates: tuple[tuple[int, int], ...]
    write: Write


@dataclass(frozen=True, eq=False)  # one object per sheet, compared by identity
class QwintoSheet:
    """A printed sheet: the columns of each row, and the row of the pentagon in each column of three."""

    key: str
    columns: Mapping[str, tuple[int, ...]]
    pentagons: Mapping[int, str]

    @cached_property
    def cells(self) -> dict[str, dict[int, QwintoCell]]:
        """Row → column → cell."""
        return {colour: {column: self._cell(colour, column) for column in self.columns[colour]} for colour in COLOURS}

    def _cell(self, colour: str, column: int) -> QwintoCell:
        others = [other for other in COLOURS if other != colour and column in self.columns[other]]
        places = tuple((COLOURS.index(other), self.columns[other].index(column)) for other in others)
        return QwintoCell(COLOURS.index(colour), self.columns[colour].index(column), places, Write(colour, column))

    def description(self) -> dict[str, Any]:
        """What is printed on the sheet, for clients that draw it."""
        rows = [{"key": colour, "lock": None, "cells": self._row_description(colour)} for colour in COLOURS]
        score = {"number": 1, "full_row": "its last number", "full_column_of_three": "the number in its bonus cell"}
        fails = {"points": -FAIL_POINTS, "boxes": FAILS_TO_END}
        return {"key": self.key, "rows": rows, "score": score, "fails": fails, "clauses": [], "extras": []}

    def _row_description(self, colour: str) -> list[dict[str, Any]]:
        return [
            {"number": None, "colour": colour, "column": column, "bonus": self.pentagons.get(column) == colour}
            for column in self.columns[colour]
        ]

    @cached_property
    def bonus_cells(self) -> tuple[QwintoCell, ...]:
        return tuple(self.cells[colour][column] for column, colour in self.pentagons.items())


CLASSIC = QwintoSheet(
    "classic",
    {
        "orange": (2, 3, 4, 6, 7, 8, 9, 10, 11),
        "yellow": (1, 2, 3, 4, 5, 7, 8, 9, 10),
        "purple": (0, 1, 2, 3, 5, 6, 7, 8, 9),
    },
    {2: "purple", 3: "orange", 7: "orange", 8: "yellow", 9: "purple"},
)
SHEETS: dict[str, QwintoSheet] = {sheet.key: sheet for sheet in (CLASSIC,)}


Row = tuple[int, ...]


class WrittenSheet(NamedTuple):
    """One seat's sheet as filled in: a number per printed cell of each row, left to right, 0 for an empty cell."""

    rows: tuple[Row, ...]
    fails: int = 0


@dataclass(frozen=True, slots=True)
class NumberWritten(Fact):
    """The sum of the dice was written into a cell."""

    seat: int
    row: str
    column: int
    number: int


@dataclass(frozen=True, slots=True)
class ThrowFailed(Fact):
    """The active seat wrote nothing in its turn."""

    seat: int


QwintoFact = TurnStarted | DiceRolled | DiceKept | PhaseClosed | NumberWritten | ThrowFailed


class QwintoState(NamedTuple):
    sheet: str
    seat_sheets: tuple[WrittenSheet, ...]
    turn: int = 0
    active: int = 0
    phase: str = TURN_OVER
    roll: int = 0
    dice: Dice | None = None


class Qwinto:
    key = "qwinto"
    seats = range(2, 7)
    state = QwintoState
    facts: Mapping[str, type[Any]] = {"number_written": NumberWritten, "throw_failed": ThrowFailed}
    box = ThrowFailed
    phases: Mapping[str, Phase] = {
        ROLL: Phase((Roll,), everyone=False, clock="roll_s", silence=Roll(COLOURS)),
        KEEP: Phase((Keep, Reroll), everyone=False, clock="roll_s", silence=Keep()),
        WRITE: Phase((Write, Pass), everyone=True, clock="answer_s", silence=PASS),
    }

    @property
    def sheets(self) -> tuple[str, ...]:
        return tuple(SHEETS)

    def description(self) -> dict[str, Any]:
        return {"dice": list(COLOURS), "sheets": [sheet.description() for sheet in SHEETS.values()]}

    def printings(self, sheet: str) -> tuple[str, ...]:
        return ()

    def opening(self, sheet: str, seats: int, printings: tuple[str, ...] = ()) -> QwintoState:
        rows = tuple((0,) * len(SHEETS[sheet].columns[colour]) for colour in COLOURS)
        return QwintoState(sheet, (WrittenSheet(rows),) * seats)

    # Which answers are allowed

    def options(self, state: QwintoState, seat: int) -> tuple[Action, ...]:
        if state.phase == WRITE:
            return (*_writes(state, state.seat_sheets[seat]), PASS)
        if seat != state.active:
            return ()
        return THROWS if state.phase == ROLL else (Keep(), Reroll()) if state.phase == KEEP else ()

    def refusal(self, state: QwintoState, seat: int, action: Action) -> str | None:
        code = turn_refusal(self.phases, state, seat, action)
        if code is not None:
            return code
        if isinstance(action, Roll):
            chosen = set(action.dice)
            is_choice = chosen and len(chosen) == len(action.dice) and chosen.issubset(COLOURS)
            return None if is_choice else "choose_dice"
        return _write_refusal(state, state.seat_sheets[seat], action) if isinstance(action, Write) else None

    # What follows from the answers

    def decide(self, state: QwintoState, answers: Answers, dice_source: DiceRoller) -> tuple[QwintoFact, ...]:
        answer = answers.get(state.active)
        match state.phase:
            case "roll" if isinstance(answer, Roll):
                return (_rolled_dice(state, answer.dice, dice_source),)
            case "keep" if isinstance(answer, Reroll):
                return (_rolled_dice(state, tuple(state.dice or ()), dice_source),)
            case "keep":
                return (DiceKept(state.active),)
        written = tuple(_written(state, answers))
        failed = (ThrowFailed(state.active),) if isinstance(answer, Pass) else ()
        return (PhaseClosed(state.phase), *written, *failed)

    def evolve(self, state: QwintoState, fact: QwintoFact) -> QwintoState:
        match fact:
            case NumberWritten(seat=seat, row=row, column=column, number=number):
                cell = SHEETS[state.sheet].cells[row][column]
                return state._replace(seat_sheets=_with_number(state, seat, cell, number))
            case DiceRolled(roll=roll, dice=dice):
                return state._replace(phase=WRITE if state.phase == KEEP else KEEP, roll=roll, dice=dice)
            case DiceKept():
                return state._replace(phase=WRITE)
            case PhaseClosed():
                return state._replace(phase=TURN_OVER)
            case TurnStarted(seat=seat, turn=turn):
                return state._replace(phase=ROLL, turn=turn, active=seat, dice=None)
            case ThrowFailed(seat=seat):
                written = state.seat_sheets[seat]
                written = written._replace(fails=written.fails + 1)
                return state._replace(seat_sheets=replaced(state.seat_sheets, seat, written))
            case _:
                assert_never(fact)

    # When the game is over, and what a seat scores

    def ending(self, state: QwintoState) -> str | None:
        if state.phase != TURN_OVER:  # all answers of the turn count (rule 2.4)
            return None
        if any(sum(all(row) for row in written.rows) >= FULL_ROWS_TO_END for written in state.seat_sheets):
            return "two_rows_filled"
        return "four_fails" if any(written.fails >= FAILS_TO_END for written in state.seat_sheets) else None

    def boxes_left(self, state: QwintoState, seat: int) -> int:
        return FAILS_TO_END - state.seat_sheets[seat].fails

    def points(self, state: QwintoState, seat: int) -> dict[str, int]:
        return {**_shown(SHEETS[state.sheet], state.seat_sheets[seat])["points"]}

    def sheet_view(self, state: QwintoState, seat: int) -> dict[str, Any]:
        shown = _shown(SHEETS[state.sheet], state.seat_sheets[seat])
        rows = {key: {**numbers} for key, numbers in shown["rows"].items()}
        return {**shown, "rows": rows, "points": {**shown["points"]}}

    def dice_view(self, state: QwintoState) -> dict[str, Any]:
        return {"dice": state.dice, "sum": rolled_sum(state) if state.dice else None}

    def closed_rows(self, state: QwintoState) -> list[str]:
        return []


@lru_cache(maxsize=16_384)
def _shown(sheet: QwintoSheet, written: WrittenSheet) -> dict[str, Any]:
    """The sheet as players see it. Cached, because a move changes one sheet at most and shows all; return copies."""
    rows = {
        colour: {str(column): row[cell.place] for column, cell in sheet.cells[colour].items() if row[cell.place]}
        for colour, row in zip(COLOURS, written.rows, strict=True)
    }
    return {"rows": rows, "fails": written.fails, "points": _points(sheet, written)}


def _points(sheet: QwintoSheet, written: WrittenSheet) -> dict[str, int]:
    rows = {colour: _row_points(row) for colour, row in zip(COLOURS, written.rows, strict=True)}
    parts = {**rows, "bonus": _bonus(sheet, written), "fails": -FAIL_POINTS * written.fails}
    return {**parts, "total": sum(parts.values())}


def _rolled_dice(state: QwintoState, dice: tuple[str, ...], dice_source: DiceRoller) -> DiceRolled:
    chosen = [colour for colour in COLOURS if colour in dice]
    faces = dice_source.roll(state.roll + 1, chosen)
    shown = {colour: [face] for colour, face in zip(chosen, faces, strict=True)}
    return DiceRolled(state.active, state.roll + 1, shown)


def rolled_sum(state: QwintoState) -> int:
    return sum([face for (face,) in (state.dice or {}).values()])


def _writes(state: QwintoState, written: WrittenSheet) -> Iterator[Write]:
    number, rows = rolled_sum(state), state.dice or {}
    for colour in (colour for colour in COLOURS if colour in rows):  # a stored log may name dice in another order
        for cell in SHEETS[state.sheet].cells[colour].values():
            if not written.rows[cell.row][cell.place] and _order_refusal(written, cell, number) is None:
                yield cell.write


def _write_refusal(state: QwintoState, written: WrittenSheet, action: Write) -> str | None:
    row = SHEETS[state.sheet].cells.get(action.row)
    if row is None:
        return "no_such_row"
    cell = row.get(action.column)
    if cell is None:
        return "no_such_cell"
    if written.rows[cell.row][cell.place]:
        return "cell_filled"
    return _order_refusal(written, cell, rolled_sum(state)) if action.row in (state.dice or ()) else "row_not_rolled"


def _order_refusal(written: WrittenSheet, cell: QwintoCell, number: int) -> str | None:
    """Rule 2.2: the numbers of a row strictly increase, and a column holds no number twice."""
    row = written.rows[cell.row]
    if max(row[: cell.place], default=0) >= number or any(0 < other <= number for other in row[cell.place + 1 :]):
        return "ascending"
    for other_row, place in cell.column_mates:
        if written.rows[other_row][place] == number:
            return "column_repeats"
    return None


def _written(state: QwintoState, answers: Answers) -> Iterator[NumberWritten]:
    number = rolled_sum(state)
    for seat, action in sorted(answers.items()):
        if isinstance(action, Write):
            yield NumberWritten(seat, action.row, action.column, number)


def _with_number(state: QwintoState, seat: int, cell: QwintoCell, number: int) -> tuple[WrittenSheet, ...]:
    written = state.seat_sheets[seat]
    row = replaced(written.rows[cell.row], cell.place, number)
    return replaced(state.seat_sheets, seat, WrittenSheet(replaced(written.rows, cell.row, row), written.fails))


def _row_points(row: Row) -> int:
    """Rule 2.4: a full row scores its right-most number, any other row one point per number."""
    return row[-1] if all(row) else sum(1 for number in row if number)


def _bonus(sheet: QwintoSheet, written: WrittenSheet) -> int:
    """Rule 2.4: a full column of three scores the number in its pentagon."""
    full = (cell for cell in sheet.bonus_cells if all(written.rows[row][place] for row, place in cell.column_mates))
    return sum(written.rows[cell.row][cell.place] for cell in full)


QWINTO = Qwinto()
