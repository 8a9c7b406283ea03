"""Steps: a line of cells through the rows, one in each column."""

from collections.abc import Sequence
from typing import Any

from games.rules.qwixx_sheets import Clause, MarkedSheet, QwixxSheet, is_marked


class Steps(Clause):
    """The steps that are marked score once more by the table."""

    key = "steps"

    def __init__(self, sheet: QwixxSheet, rows: Sequence[str]) -> None:
        self.cells = [(sheet.index[row], column) for column, row in enumerate(rows)]

    def prints(self) -> dict[str, Any]:
        return {"cells": self.cells}

    def pays(self, marked: MarkedSheet, note: int, rows: tuple[int, ...]) -> int:
        count = sum([is_marked(marked, row, column) for row, column in self.cells])
        return count * (count + 1) // 2
