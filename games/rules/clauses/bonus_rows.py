"""Bonus rows, printed between two other rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.qwixx_sheets import Clause, MarkedSheet, QwixxSheet, is_marked


class BonusRows(Clause):
    """A cell of a bonus row needs an own mark above or below it, and counts for both neighbours."""

    key = "bonus_rows"

    def __init__(self, sheet: QwixxSheet, neighbours: Mapping[str, Sequence[str]]) -> None:
        index = sheet.index
        self.neighbours = {index[bonus]: [index[row] for row in rows] for bonus, rows in neighbours.items()}
        # bonus row and colour → the neighbour of this colour
        self.of_colour = {(bonus, sheet.rows[row].lock): row for bonus, rows in self.neighbours.items() for row in rows}
        # row → the bonus rows beside it
        self.beside = {
            row: tuple(bonus for bonus, rows in self.neighbours.items() if row in rows)
            for row in range(len(sheet.rows))
        }

    def prints(self) -> dict[str, Any]:
        return {"bonus_rows": [{"row": row, "neighbours": [*beside]} for row, beside in self.neighbours.items()]}

    def admits(self, marked: MarkedSheet, row: int, column: int, colour: str) -> bool:
        neighbour = self.of_colour.get((row, colour))
        return neighbour is not None and is_marked(marked, neighbour, column)

    def amends(self, marked: MarkedSheet, note: int, row: int, column: int, code: str | None) -> str | None:
        if code is not None or row not in self.neighbours:
            return code
        is_beside_a_mark = any(is_marked(marked, neighbour, column) for neighbour in self.neighbours[row])
        return None if is_beside_a_mark else "bonus_needs_mark"

    def lends(self, marked: MarkedSheet, row: int) -> int:
        return sum([marked.marks[bonus].bit_count() for bonus in self.beside[row]])
