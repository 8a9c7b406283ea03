"""Second crosses in cells that are crossed already."""

from typing import Any

from games.rules.qwixx_sheets import Clause, MarkedSheet, Marking, Place, QwixxSheet


class SecondCrosses(Clause):
    """The right-most cross of a row may be made again, once, unless it is the last. The note: a bit a doubled cell."""

    key = "second_crosses"

    def __init__(self, sheet: QwixxSheet) -> None:
        widths = [len(row.numbers) for row in sheet.rows]
        self.first_bits = [sum(widths[:row]) for row in range(len(widths))]
        self.masks = [((1 << width - 1) - 1) << first for width, first in zip(widths, self.first_bits, strict=True)]
        self.last = [width - 1 for width in widths]

    def amends(self, marked: MarkedSheet, note: int, row: int, column: int, code: str | None) -> str | None:
        if code != "left_to_right" or marked.marks[row].bit_length() != column + 1 or column == self.last[row]:
            return code
        return code if note >> self.first_bits[row] + column & 1 else None

    def follows(
        self, sheet: QwixxSheet, marked: MarkedSheet, note: int, marking: Marking
    ) -> tuple[int, tuple[Place, ...]]:
        return (note | 1 << self.first_bits[marking.row] + marking.column if marking.again else note), ()

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        cells = [(row, column) for row, last in enumerate(self.last) for column in range(last)]
        return {"twice": [(row, column) for row, column in cells if note >> self.first_bits[row] + column & 1]}

    def doubles(self, marked: MarkedSheet, note: int, row: int) -> int:
        return (note & self.masks[row]).bit_count()
