"""What a Qwixx sheet consists of: rows of numbered, coloured cells, and clauses for what it prints beyond them.

Bonus rows, forced marks, doubled cells, swaps and links are clauses. `docs/add-a-game.md` shows each hook.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from games.rules.actions import Mark

Key = TypeVar("Key")
Place = tuple[int, int]  # row, column

COLOURS = ("red", "yellow", "green", "blue")
PENALTY_POINTS = 5


class MarkedSheet(NamedTuple):
    """One seat's sheet as filled in: a bit per cell of each row (lowest: left-most), penalties, a number per clause."""

    marks: tuple[int, ...]
    penalties: int = 0
    notes: tuple[int, ...] = ()


def is_marked(marked: MarkedSheet, row: int, column: int) -> bool:
    return bool(marked.marks[row] >> column & 1)


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

    def swaps(self, note: int, white_sum: int) -> tuple[int, ...]:
        """Other numbers that this player may mark in place of the white sum."""
        return ()

    def admits(self, marked: MarkedSheet, row: int, column: int, colour: str) -> bool:
        """Whether the die of this colour may mark this cell, which is printed in no colour."""
        return False

    def amends(self, marked: MarkedSheet, note: int, row: int, column: int, code: str | None) -> str | None:
        """The refusal of this cell, given the refusal of the basic rules (None: allowed)."""
        return code

    def follows(
        self, sheet: "QwixxSheet", marked: MarkedSheet, note: int, marking: Marking
    ) -> tuple[int, tuple[Place, ...]]:
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
        """What a client draws: special `cells`, `links` of two cells each and their `effects`, `bonus_rows` with their
        `neighbours`, a `track` of fields used in order, each a `colour` or two `numbers`. A cell is [row, column]."""
        return {}

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        """The progress on this sheet: how many fields of the track are `used`, which cells are crossed `twice`, which
        links are `done`."""
        return {}


Hooked = tuple[tuple[int, Clause], ...]


class QwixxRow(NamedTuple):
    """A row as printed, left to right. `lock` is the colour whose die leaves with it; a bonus row has none."""

    key: str
    lock: str | None
    numbers: tuple[int, ...]
    colours: tuple[str, ...]

    def description(self) -> dict[str, Any]:
        cells = [
            {"number": number, "colour": colour, "column": column, "bonus": self.lock is None}
            for column, (number, colour) in enumerate(zip(self.numbers, self.colours, strict=True))
        ]
        return {"key": self.key, "lock": self.lock, "cells": cells}


@dataclass(frozen=True, eq=False)  # one object per sheet, compared by identity
class QwixxSheet:
    """A printed sheet, or one printing of it. Look-up tables are built once, at first use."""

    key: str
    rows: tuple[QwixxRow, ...]
    marks_before_last: int = 5
    most_crosses: int = 12
    clauses: tuple[Clause, ...] = ()
    printings: "Mapping[str, QwixxSheet]" = field(default_factory=dict)  # by name, where seats get different ones

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
    def swapping(self) -> Hooked:
        return self._hooked("swaps")

    @cached_property
    def admitting(self) -> Hooked:
        return self._hooked("admits")

    @cached_property
    def amending(self) -> Hooked:
        return self._hooked("amends")

    def _hooked(self, hook: str) -> Hooked:
        """The clauses that have this hook, with the place of their note: most sheets have none, and save the calls."""
        plain = getattr(Clause, hook)
        return tuple((at, clause) for at, clause in enumerate(self.clauses) if getattr(type(clause), hook) is not plain)

    @cached_property
    def scored_rows(self) -> tuple[int, ...]:
        return tuple(index for index, row in enumerate(self.rows) if row.lock is not None)

    def place(self, row: str, number: int) -> Place:
        return self.cells[row][number][:2]

    def places(self, numbers: Mapping[str, Sequence[int]]) -> list[Place]:
        """The cells of these numbers, given by row."""
        return [self.place(row, number) for row, each in numbers.items() for number in each]

    def description(self) -> dict[str, Any]:
        """What is printed on the sheet, for clients that draw it; with printings, `extras` are those of the first."""
        crosses = range(self.most_crosses + 1)
        printings = [{"key": name, "extras": sheet.printed_extras()} for name, sheet in self.printings.items()]
        return {
            "key": self.key,
            "rows": [row.description() for row in self.rows],
            "marks_before_last": self.marks_before_last,
            "score": {"crosses": [count * (count + 1) // 2 for count in crosses]},
            "clauses": [clause.key for clause in self.clauses],
            "extras": self.printed_extras(),
            "printings": printings,
        }

    def printed_extras(self) -> list[dict[str, Any]]:
        return [{"key": clause.key, **clause.prints()} for clause in self.clauses]

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
