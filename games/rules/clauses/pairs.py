"""Pairs of cells with an effect."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.rules.marked_sheet import cross, next_cell
from games.rules.qwixx_sheets import PENALTY_POINTS, Clause, MarkedSheet, Marking, Place, QwixxSheet, is_marked

Forces = Callable[[QwixxSheet, MarkedSheet, int], tuple[Place, ...]]
Pays = Callable[[MarkedSheet, Sequence[int]], int]


def two_in_fewest(sheet: QwixxSheet, marked: MarkedSheet, closed: int) -> tuple[Place, ...]:
    """Among rows with equally few marks the upper one."""
    counts = [(marked.marks[row].bit_count(), row) for row in sheet.scored_rows if not closed >> row & 1]
    if not counts:
        return ()
    _, row = min(counts)
    first = next_cell(sheet, marked, row)
    return first and (*first, *next_cell(sheet, cross(marked, *first[0]), row))


def one_in_each(sheet: QwixxSheet, marked: MarkedSheet, closed: int) -> tuple[Place, ...]:
    rows = [row for row in sheet.scored_rows if not closed >> row & 1]
    return tuple([place for row in rows for place in next_cell(sheet, marked, row)])


FORCES: dict[str, Forces] = {"two_in_fewest": two_in_fewest, "one_in_each": one_in_each}
PAYS: dict[str, Pays] = {
    "double_fewest": lambda _marked, rows: min(rows),
    "plus_13": lambda _marked, _rows: 13,
    "no_penalties": lambda marked, _rows: PENALTY_POINTS * marked.penalties,
}


class Pairs(Clause):
    """Two cells that have an effect, once, as soon as both are marked. The note: a bit for each pair that is done."""

    key = "pairs"

    def __init__(self, sheet: QwixxSheet, effects: Mapping[str, Sequence[tuple[str, int]]]) -> None:
        self.effects = tuple(effects)
        self.pairs = [(sheet.place(*one), sheet.place(*other)) for one, other in effects.values()]

    def prints(self) -> dict[str, Any]:
        return {"links": self.pairs, "effects": [*self.effects]}

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        return {"done": [bit for bit in range(len(self.pairs)) if note >> bit & 1]}

    def follows(
        self, sheet: QwixxSheet, marked: MarkedSheet, note: int, marking: Marking
    ) -> tuple[int, tuple[Place, ...]]:
        forced: tuple[Place, ...] = ()
        for bit, (one, other) in enumerate(self.pairs):
            if not note >> bit & 1 and is_marked(marked, *one) and is_marked(marked, *other):
                note |= 1 << bit
                if self.effects[bit] in FORCES:
                    places = FORCES[self.effects[bit]](sheet, marked, marking.closed)
                    for place in places:
                        marked = cross(marked, *place)
                    forced += places
        return note, forced

    def pays(self, marked: MarkedSheet, note: int, rows: tuple[int, ...]) -> int:
        done = [effect for bit, effect in enumerate(self.effects) if note >> bit & 1]
        return sum([PAYS[effect](marked, rows) for effect in done if effect in PAYS])
