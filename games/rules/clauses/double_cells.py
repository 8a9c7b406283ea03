"""Cells that are printed double."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.qwixx_sheets import Clause, MarkedSheet, QwixxSheet, is_marked


class DoubleCells(Clause):
    """A mark in a printed double cell is two crosses."""

    key = "double_cells"

    def __init__(self, sheet: QwixxSheet, cells: Mapping[str, Sequence[int]]) -> None:
        self.cells = sheet.places(cells)
        self.masks = [sum([1 << column for at, column in self.cells if at == row]) for row in range(len(sheet.rows))]

    def prints(self) -> dict[str, Any]:
        return {"cells": self.cells}

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        return {"twice": [cell for cell in self.cells if is_marked(marked, *cell)]}

    def doubles(self, marked: MarkedSheet, note: int, row: int) -> int:
        return (marked.marks[row] & self.masks[row]).bit_count()
