"""Qwixx sheets as data, and the hooks through which a sheet's printed extras take part; knows no turn and no dice.

A sheet is rows of numbered, coloured cells. What a sheet prints beyond that (bonus rows, forced marks, doubled cells,
swaps, links) is a clause: a small object that answers the four questions below. `docs/add-a-game.md` shows each.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from games.rules.actions import Mark

Key = TypeVar("Key")

COLOURS = ("red", "yellow", "green", "blue")


class Pad(NamedTuple):
    """What one player has crossed: a bit per cell of each row, the left-most cell lowest; clauses keep notes here."""

    marks: tuple[int, ...]
    penalties: int = 0
    notes: tuple[int, ...] = ()


class Cell(NamedTuple):
    """One printed number: where it is, and the action that crosses it."""

    row: int
    column: int
    mark: Mark


class Marking(NamedTuple):
    """A cell being crossed: by the white sum, by a colour (no sum), or because a clause forced it (no sum)."""

    row: int
    column: int
    closed: int  # the rows that are closed to everybody, a bit each
    white_sum: int | None = None
    again: bool = False  # this cell was crossed before


class Clause:
    """A printed extra. Each hook of a plain clause does nothing; `note` is the number this clause keeps on a pad."""

    key = ""

    def swaps(self, pad: Pad, note: int, white_sum: int) -> tuple[int, ...]:
        """May I? Other numbers that this player may use the white sum as."""
        return ()

    def colours(self, pad: Pad, row: int, column: int) -> tuple[str, ...]:
        """May I? Colours, besides the printed one, whose die may mark this cell."""
        return ()

    def amends(self, pad: Pad, note: int, row: int, column: int, code: str | None) -> str | None:
        """May I? The refusal of this cell, given the one of the basic rules (None: allowed)."""
        return code

    def follows(self, pad: Pad, note: int, marking: Marking) -> tuple[int, tuple[tuple[int, int], ...]]:
        """What follows? The new note, and the cells that are crossed as well, given the pad after the mark."""
        return note, ()

    def doubles(self, pad: Pad, note: int, row: int) -> int:
        """What does it pay? Crosses in this row beyond one a cell; they count towards the lock, too."""
        return 0

    def lends(self, pad: Pad, row: int) -> int:
        """What does it pay? Crosses elsewhere that score in this row."""
        return 0

    def pays(self, pad: Pad, note: int, rows: tuple[int, ...]) -> int:
        """What does it pay? Points on top, given the points of each row."""
        return 0

    def prints(self) -> dict[str, Any]:
        """What is drawn of it? `cells` that are special, `links` of two cells each, a `track` of fields used in order,
        each a `colour` or two `numbers`. A cell is [row, column]."""
        return {}

    def shows(self, pad: Pad, note: int) -> dict[str, Any]:
        """What has become of it on this pad? How many fields of the track are `used`, which cells are crossed `twice`,
        which links are `done`."""
        return {}


class Row(NamedTuple):
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


@dataclass(frozen=True, eq=False)  # there is one of each: compared, and looked up, as itself
class Sheet:
    """A printed pad. What is looked up in play is laid out once, at first use."""

    key: str
    rows: tuple[Row, ...]
    marks_before_last: int = 5
    most_crosses: int = 12
    clauses: tuple[Clause, ...] = ()

    @cached_property
    def index(self) -> dict[str, int]:
        return {row.key: index for index, row in enumerate(self.rows)}

    @cached_property
    def cells(self) -> dict[str, dict[int, Cell]]:
        """Row key → number → cell."""
        return {
            row.key: {n: Cell(index, column, Mark(row.key, n)) for column, n in enumerate(row.numbers)}
            for index, row in enumerate(self.rows)
        }

    @cached_property
    def by_number(self) -> dict[int, tuple[Cell, ...]]:
        return _grouped((number, cell) for row in self.cells.values() for number, cell in row.items())

    @cached_property
    def by_colour(self) -> dict[tuple[str, int], tuple[Cell, ...]]:
        """(colour, number) → cells. Those printed in no colour ("") are up to the clauses."""
        return _grouped(
            ((self.rows[cell.row].colours[cell.column], number), cell)
            for row in self.cells.values()
            for number, cell in row.items()
        )

    @cached_property
    def scored_rows(self) -> tuple[int, ...]:
        return tuple(index for index, row in enumerate(self.rows) if row.lock is not None)

    def description(self) -> dict[str, Any]:
        """What is printed, for whoever draws it."""
        crosses = range(self.most_crosses + 1)
        return {
            "key": self.key,
            "rows": [row.description() for row in self.rows],
            "marks_before_last": self.marks_before_last,
            "score": {"crosses": [count * (count + 1) // 2 for count in crosses]},
            "clauses": [clause.key for clause in self.clauses],
            "extras": [{"key": clause.key, **clause.prints()} for clause in self.clauses],
        }

    def extras(self, pad: Pad) -> Iterable[tuple[Clause, int]]:
        """Each clause with the note it keeps on this pad."""
        return zip(self.clauses, pad.notes, strict=True) if self.clauses else ()

    def opening(self) -> Pad:
        return Pad((0,) * len(self.rows), 0, (0,) * len(self.clauses))


def _grouped(pairs: Iterable[tuple[Key, Cell]]) -> dict[Key, tuple[Cell, ...]]:
    groups: dict[Key, tuple[Cell, ...]] = {}
    for key, cell in pairs:
        groups[key] = (*groups.get(key, ()), cell)
    return groups


def row(key: str, numbers: Iterable[int], colours: Iterable[str] = ()) -> Row:
    """A lockable row, all of its own colour unless others are given; its last cell's colour is its lock's."""
    numbers = tuple(numbers)
    colours = tuple(colours) or (key,) * len(numbers)
    return Row(key, colours[-1], numbers, colours)


RISING, FALLING = range(2, 13), range(12, 1, -1)

CLASSIC = Sheet("classic", (row("red", RISING), row("yellow", RISING), row("green", FALLING), row("blue", FALLING)))

SHEETS: dict[str, Sheet] = {sheet.key: sheet for sheet in (CLASSIC,)}
