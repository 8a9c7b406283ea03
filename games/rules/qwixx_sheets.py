"""Qwixx sheets as data: rows of numbered, coloured cells, and clauses for what a sheet prints beyond them.

Bonus rows, forced marks, doubled cells, swaps and links are clauses. `docs/add-a-game.md` shows each hook.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from games.rules.actions import Mark

Key = TypeVar("Key")

COLOURS = ("red", "yellow", "green", "blue")


class MarkedSheet(NamedTuple):
    """One seat's sheet as filled in: a bit per cell of each row (lowest: left-most), penalties, a number per clause."""

    marks: tuple[int, ...]
    penalties: int = 0
    notes: tuple[int, ...] = ()


class QwixxCell(NamedTuple):
    """One printed number: its row, its column, and the action that crosses it."""

    row: int
    column: int
    mark: Mark


class Marking(NamedTuple):
    """A cell being crossed: by the white sum, by a colour (no sum), or because a clause forced it (no sum)."""

    row: int
    column: int
    closed: int  # the rows that are closed to all seats, a bit each
    white_sum: int | None = None
    again: bool = False  # this cell was crossed before


class Clause:
    """A printed extra. By default each hook does nothing; `note` is the number that this clause stores for a seat."""

    key = ""

    def swaps(self, marked: MarkedSheet, note: int, white_sum: int) -> tuple[int, ...]:
        """Other numbers that this player may mark in place of the white sum."""
        return ()

    def colours(self, marked: MarkedSheet, row: int, column: int) -> tuple[str, ...]:
        """Colours, besides the printed one, whose die may mark this cell."""
        return ()

    def amends(self, marked: MarkedSheet, note: int, row: int, column: int, code: str | None) -> str | None:
        """The refusal of this cell, given the refusal of the basic rules (None: allowed)."""
        return code

    def follows(self, marked: MarkedSheet, note: int, marking: Marking) -> tuple[int, tuple[tuple[int, int], ...]]:
        """The new note and the cells that are crossed as well, given the sheet after the mark."""
        return note, ()

    def doubles(self, marked: MarkedSheet, note: int, row: int) -> int:
        """Crosses in this row beyond one per cell; they count towards the lock, too."""
        return 0

    def lends(self, marked: MarkedSheet, row: int) -> int:
        """Crosses of other rows that score in this row, too."""
        return 0

    def pays(self, marked: MarkedSheet, note: int, rows: tuple[int, ...]) -> int:
        """Points on top, given the points of each row."""
        return 0

    def prints(self) -> dict[str, Any]:
        """What a client draws: special `cells`, `links` of two cells each, a `track` of fields used in order, each a
        `colour` or two `numbers`. A cell is [row, column]."""
        return {}

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        """The progress on this sheet: how many fields of the track are `used`, which cells are crossed `twice`, which
        links are `done`."""
        return {}


class QwixxRow(NamedTuple):
    """A row as printed, left to right. `lock` is the colour whose die leaves with it; a bonus row has none."""

    key: str
    lock: str | None
    numbers: tuple[int, ...]
    colours: tuple[str, ...]

    def description(self) -> dict[str, Any]:
        cells = [
            {"number": number, "colour": colour, "column": column, "bonus": False}
            for column, (number, colour) in enumerate(zip(self.numbers, self.colours, strict=True))
        ]
        return {"key": self.key, "lock": self.lock, "cells": cells}


@dataclass(frozen=True, eq=False)  # one object per sheet, compared by identity
class QwixxSheet:
    """A printed sheet. Look-up tables are built once, at first use."""

    key: str
    rows: tuple[QwixxRow, ...]
    marks_before_last: int = 5
    most_crosses: int = 12
    clauses: tuple[Clause, ...] = ()

    @cached_property
    def index(self) -> dict[str, int]:
        return {row.key: index for index, row in enumerate(self.rows)}

    @cached_property
    def cells(self) -> dict[str, dict[int, QwixxCell]]:
        """QwixxRow key → number → cell."""
        return {
            row.key: {n: QwixxCell(index, column, Mark(row.key, n)) for column, n in enumerate(row.numbers)}
            for index, row in enumerate(self.rows)
        }

    @cached_property
    def by_number(self) -> dict[int, tuple[QwixxCell, ...]]:
        return _grouped((number, cell) for row in self.cells.values() for number, cell in row.items())

    @cached_property
    def by_colour(self) -> dict[tuple[str, int], tuple[QwixxCell, ...]]:
        """(colour, number) → cells. Clauses decide about cells that are printed in no colour ("")."""
        return _grouped(
            ((self.rows[cell.row].colours[cell.column], number), cell)
            for row in self.cells.values()
            for number, cell in row.items()
        )

    @cached_property
    def scored_rows(self) -> tuple[int, ...]:
        return tuple(index for index, row in enumerate(self.rows) if row.lock is not None)

    def description(self) -> dict[str, Any]:
        """What is printed on the sheet, for clients that draw it."""
        crosses = range(self.most_crosses + 1)
        return {
            "key": self.key,
            "rows": [row.description() for row in self.rows],
            "marks_before_last": self.marks_before_last,
            "score": {"crosses": [count * (count + 1) // 2 for count in crosses]},
            "clauses": [clause.key for clause in self.clauses],
            "extras": [{"key": clause.key, **clause.prints()} for clause in self.clauses],
        }

    def extras(self, marked: MarkedSheet) -> Iterable[tuple[Clause, int]]:
        """Each clause with the note that it stores on this sheet."""
        return zip(self.clauses, marked.notes, strict=True) if self.clauses else ()

    def opening(self) -> MarkedSheet:
        return MarkedSheet((0,) * len(self.rows), 0, (0,) * len(self.clauses))


def _grouped(pairs: Iterable[tuple[Key, QwixxCell]]) -> dict[Key, tuple[QwixxCell, ...]]:
    groups: dict[Key, tuple[QwixxCell, ...]] = {}
    for key, cell in pairs:
        groups[key] = (*groups.get(key, ()), cell)
    return groups


def row(key: str, numbers: Iterable[int], colours: Iterable[str] = ()) -> QwixxRow:
    """A lockable row in its own colour unless others are given; the last cell's colour is the lock's."""
    numbers = tuple(numbers)
    colours = tuple(colours) or (key,) * len(numbers)
    return QwixxRow(key, colours[-1], numbers, colours)


RISING, FALLING = range(2, 13), range(12, 1, -1)

CLASSIC_ROWS = (row("red", RISING), row("yellow", RISING), row("green", FALLING), row("blue", FALLING))
CLASSIC = QwixxSheet("classic", CLASSIC_ROWS)

SHEETS: dict[str, QwixxSheet] = {sheet.key: sheet for sheet in (CLASSIC,)}
