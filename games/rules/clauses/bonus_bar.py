"""The bonus bar: coloured fields that boxed cells use up in order."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.marked_sheet import next_cell
from games.rules.qwixx_sheets import Clause, MarkedSheet, Marking, Place, QwixxSheet


class BonusBar(Clause):
    """A boxed mark crosses the next field of the bar, whose colour forces a mark. The note: fields used or void."""

    key = "bonus_bar"

    def __init__(self, sheet: QwixxSheet, boxed: Mapping[str, Sequence[int]], bar: Sequence[str]) -> None:
        self.boxed = frozenset(sheet.places(boxed))
        self.colours_of_bar = bar
        self.bar = [next(index for index, row in enumerate(sheet.rows) if row.lock == colour) for colour in bar]

    def prints(self) -> dict[str, Any]:
        return {"cells": sorted(self.boxed), "track": [{"colour": colour} for colour in self.colours_of_bar]}

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        return {"used": note}

    def follows(
        self, sheet: QwixxSheet, marked: MarkedSheet, note: int, marking: Marking
    ) -> tuple[int, tuple[Place, ...]]:
        if (marking.row, marking.column) not in self.boxed:
            return note, ()
        for field in range(note, len(self.bar)):
            row = self.bar[field]
            if not marking.closed >> row & 1:  # the fields of a closed row are void
                return field + 1, next_cell(sheet, marked, row)
        return note, ()
