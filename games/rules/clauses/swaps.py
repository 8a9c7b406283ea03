"""Pairs of numbers by which a player may swap the white sum."""

from collections.abc import Sequence
from typing import Any

from games.rules.qwixx_sheets import Clause, MarkedSheet, Marking, Place, QwixxSheet


class Swaps(Clause):
    """The white sum may be swapped by an unused pair that names it. The note: pairs used or skipped."""

    key = "swaps"

    def __init__(self, sheet: QwixxSheet, pairs: Sequence[tuple[int, int]]) -> None:
        self.pairs = [(one, other) for one, other in pairs]

    def prints(self) -> dict[str, Any]:
        return {"track": [{"numbers": pair} for pair in self.pairs]}

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        return {"used": note}

    def swaps(self, note: int, white_sum: int) -> tuple[int, ...]:
        return tuple(dict.fromkeys([sum(pair) - white_sum for pair in self.pairs[note:] if white_sum in pair]))

    def follows(
        self, sheet: QwixxSheet, marked: MarkedSheet, note: int, marking: Marking
    ) -> tuple[int, tuple[Place, ...]]:
        number = sheet.rows[marking.row].numbers[marking.column]
        if marking.white_sum is None or marking.white_sum == number:
            return note, ()
        swap = {marking.white_sum, number}
        return next(at for at in range(note, len(self.pairs)) if {*self.pairs[at]} == swap) + 1, ()
