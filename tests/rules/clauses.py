"""The printed extras of ten further Qwixx sheets as clauses; they show that the hooks suffice."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.rules.marked_sheet import cross
from games.rules.qwixx_sheets import COLOURS, Clause, MarkedSheet, Marking, QwixxRow

Place = tuple[int, int]  # row, column
LAST = 10  # the column of a row's last number


def is_marked(marked: MarkedSheet, place: Place) -> bool:
    row, column = place
    return bool(marked.marks[row] >> column & 1)


def next_cell(marked: MarkedSheet, row: int) -> tuple[Place, ...]:
    """The left-most cell of a row that may still be crossed, if any: a forced mark needs five before a lock, too."""
    column = marked.marks[row].bit_length()
    is_free = column < LAST or (column == LAST and marked.marks[row].bit_count() >= 5)
    return ((row, column),) if is_free else ()


class BonusRows(Clause):
    """Rows between two others: a cell needs an own mark above or below it, and counts for both neighbours."""

    key = "bonus_rows"

    def __init__(self, neighbours: Mapping[int, Mapping[int, str]]) -> None:
        self.neighbours = neighbours  # bonus row → its neighbours and their colours

    def colours(self, marked: MarkedSheet, row: int, column: int) -> tuple[str, ...]:
        beside = self.neighbours.get(row, {}).items()
        return tuple(colour for neighbour, colour in beside if is_marked(marked, (neighbour, column)))

    def amends(self, marked: MarkedSheet, _note: int, row: int, column: int, code: str | None) -> str | None:
        is_lonely = row in self.neighbours and not self.colours(marked, row, column)
        return code or ("number_not_rolled" if is_lonely else None)

    def lends(self, marked: MarkedSheet, row: int) -> int:
        return sum(marked.marks[bonus].bit_count() for bonus, beside in self.neighbours.items() if row in beside)


class BonusBar(Clause):
    """A boxed mark crosses the next field of the bar, whose colour forces a mark. The note: fields used or void."""

    key = "bonus_bar"

    def __init__(self, boxed: frozenset[Place], bar: tuple[int, ...]) -> None:
        self.boxed, self.bar = boxed, bar

    def prints(self) -> dict[str, Any]:
        return {"cells": sorted(self.boxed), "track": [{"colour": COLOURS[row]} for row in self.bar]}

    def shows(self, _pad: MarkedSheet, note: int) -> dict[str, Any]:
        return {"used": note}

    def follows(self, marked: MarkedSheet, note: int, marking: Marking) -> tuple[int, tuple[Place, ...]]:
        if (marking.row, marking.column) not in self.boxed:
            return note, ()
        open_fields = (field for field in range(note, len(self.bar)) if not marking.closed >> self.bar[field] & 1)
        field = next(open_fields, None)
        return (note, ()) if field is None else (field + 1, next_cell(marked, self.bar[field]))


Effect = Callable[[MarkedSheet, int], Sequence[Place]]


def two_in_fewest(marked: MarkedSheet, closed: int) -> list[Place]:
    _, row = min((marked.marks[row].bit_count(), row) for row in range(4) if not closed >> row & 1)
    first = next_cell(marked, row)
    return [*first, *(next_cell(cross(marked, *first[0]), row) if first else ())]


def one_in_each(marked: MarkedSheet, closed: int) -> list[Place]:
    return [place for row in range(4) if not closed >> row & 1 for place in next_cell(marked, row)]


def nothing_now(_pad: MarkedSheet, _closed: int) -> list[Place]:
    return []


class Pairs(Clause):
    """Two cells that do something once both are marked. The note: a bit for each pair that has."""

    key = "pairs"

    def __init__(self, pairs: Sequence[tuple[Place, Place]], effects: Sequence[Effect]) -> None:
        self.pairs, self.effects = pairs, effects

    def prints(self) -> dict[str, Any]:
        return {"links": self.pairs}

    def shows(self, _pad: MarkedSheet, note: int) -> dict[str, Any]:
        return {"done": [bit for bit in range(len(self.pairs)) if note >> bit & 1]}

    def follows(self, marked: MarkedSheet, note: int, marking: Marking) -> tuple[int, tuple[Place, ...]]:
        forced: list[Place] = []
        for bit, (one, other) in enumerate(self.pairs):
            if not note >> bit & 1 and is_marked(marked, one) and is_marked(marked, other):
                note |= 1 << bit
                places = self.effects[bit](marked, marking.closed)
                for place in places:
                    marked = cross(marked, *place)
                forced += places
        return note, tuple(forced)

    def pays(self, marked: MarkedSheet, note: int, rows: tuple[int, ...]) -> int:
        amounts = (0, 0, min(rows), 13, 5 * marked.penalties)
        return sum(amount for bit, amount in enumerate(amounts) if note >> bit & 1)


class SecondCrosses(Clause):
    """The right-most cross of a row may be made again, once, unless it is the last. The note: a bit a doubled cell."""

    key = "second_crosses"

    def amends(self, marked: MarkedSheet, note: int, row: int, column: int, code: str | None) -> str | None:
        is_right_most = marked.marks[row].bit_length() == column + 1
        is_free = is_right_most and column < LAST and not note >> self._bit(row, column) & 1
        return None if code == "left_to_right" and is_free else code

    def follows(self, _pad: MarkedSheet, note: int, marking: Marking) -> tuple[int, tuple[Place, ...]]:
        return (note | 1 << self._bit(marking.row, marking.column), ()) if marking.again else (note, ())

    def shows(self, marked: MarkedSheet, note: int) -> dict[str, Any]:
        cells = [(row, column) for row in range(len(marked.marks)) for column in range(LAST)]
        return {"twice": [cell for cell in cells if note >> self._bit(*cell) & 1]}

    def doubles(self, _pad: MarkedSheet, note: int, row: int) -> int:
        return (note >> self._bit(row, 0) & (1 << LAST) - 1).bit_count()

    @staticmethod
    def _bit(row: int, column: int) -> int:
        return row * (LAST + 1) + column


class DoubleCells(Clause):
    """Printed cells that give two crosses at once: a mask of columns for each row."""

    key = "double_cells"

    def __init__(self, columns: Sequence[Sequence[int]]) -> None:
        self.masks = [sum(1 << column for column in row) for row in columns]
        self.cells = [(row, column) for row, each in enumerate(columns) for column in each]

    def prints(self) -> dict[str, Any]:
        return {"cells": self.cells}

    def shows(self, marked: MarkedSheet, _note: int) -> dict[str, Any]:
        return {"twice": [cell for cell in self.cells if is_marked(marked, cell)]}

    def doubles(self, marked: MarkedSheet, _note: int, row: int) -> int:
        return (marked.marks[row] & self.masks[row]).bit_count()


class Swaps(Clause):
    """The white sum may be swapped by the next unused pair that names it. The note: pairs used or skipped."""

    key = "swaps"

    def __init__(self, pairs: Sequence[tuple[int, int]], rows: Sequence[QwixxRow]) -> None:
        self.pairs, self.rows = pairs, rows

    def prints(self) -> dict[str, Any]:
        return {"track": [{"numbers": pair} for pair in self.pairs]}

    def shows(self, _pad: MarkedSheet, note: int) -> dict[str, Any]:
        return {"used": note}

    def swaps(self, _pad: MarkedSheet, note: int, white_sum: int) -> tuple[int, ...]:
        return tuple(sum(pair) - white_sum for pair in self.pairs[note:] if white_sum in pair)

    def follows(self, _pad: MarkedSheet, note: int, marking: Marking) -> tuple[int, tuple[Place, ...]]:
        number = self.rows[marking.row].numbers[marking.column]
        if marking.white_sum in (None, number):
            return note, ()
        used = (at for at, pair in enumerate(self.pairs) if at >= note and {*pair} == {number, marking.white_sum})
        return next(used) + 1, ()


class Steps(Clause):
    """One cell a column: those that are marked score once more by the table."""

    key = "steps"

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = rows

    def prints(self) -> dict[str, Any]:
        return {"cells": [(row, column) for column, row in enumerate(self.rows)]}

    def pays(self, marked: MarkedSheet, _note: int, _rows: tuple[int, ...]) -> int:
        count = sum(is_marked(marked, (row, column)) for column, row in enumerate(self.rows))
        return count * (count + 1) // 2


class Links(Clause):
    """Marking one end of a link marks the other, even backwards or in a closed row."""

    key = "links"

    def __init__(self, pairs: Sequence[tuple[Place, Place]]) -> None:
        self.pairs = pairs
        self.ends = {**dict(pairs), **{other: one for one, other in pairs}}

    def prints(self) -> dict[str, Any]:
        return {"links": self.pairs}

    def follows(self, marked: MarkedSheet, note: int, marking: Marking) -> tuple[int, tuple[Place, ...]]:
        end = self.ends.get((marking.row, marking.column))
        return note, () if end is None or is_marked(marked, end) else (end,)
