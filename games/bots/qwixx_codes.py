"""A classic Qwixx row as one small number: last mark, number of crosses, and whether it is locked or closed.

0 to 55: open, by last mark and count. 56 to 61: locked by this player. 62 to 72: closed by others, by count.
"""

CELLS = 11
BEFORE_LAST = 5
OPEN = CELLS * (CELLS - 1) // 2 + 1
LOCKED = OPEN
DEAD = LOCKED + CELLS - BEFORE_LAST
CODES = DEAD + CELLS
NEVER = -1
Codes = tuple[int, ...]  # the rows of a sheet: red, yellow, green, blue


def code_of(end: int, marks: int, *, is_closed: bool) -> int:
    """The code of a row whose last mark is in cell number `end`, counted from one, or which has none.

    >>> code_of(0, 0, is_closed=False), code_of(1, 1, is_closed=False), code_of(10, 10, is_closed=False)
    (0, 1, 55)
    >>> code_of(11, 6, is_closed=True), code_of(10, 0, is_closed=True)
    (56, 62)
    """
    if end == CELLS:
        return LOCKED + marks - BEFORE_LAST - 1
    if is_closed:
        return DEAD + marks
    return end * (end - 1) // 2 + marks


def codes_of(marks: tuple[int, ...], closed: int) -> Codes:
    """The codes of a sheet, given a bit per cell of each row and a bit per closed row."""
    return tuple(
        code_of(bits.bit_length(), bits.bit_count(), is_closed=bool(closed >> row & 1))
        for row, bits in enumerate(marks)
    )


def _rows() -> list[tuple[int, int, bool]]:
    """Last mark, marks and closed or not, in the order of codes."""
    rows = [(0, 0, False)]
    rows += [(end, marks, False) for end in range(1, CELLS) for marks in range(1, end + 1)]
    rows += [(CELLS, marks, True) for marks in range(BEFORE_LAST + 1, CELLS + 1)]
    return rows + [(CELLS, marks, True) for marks in range(CELLS)]


def _marked(end: int, marks: int, cell: int, *, is_closed: bool) -> int:
    is_refused = is_closed or cell < end or (cell == CELLS - 1 and marks < BEFORE_LAST)
    return NEVER if is_refused else code_of(cell + 1, marks + 1, is_closed=False)


def _face(code: int, marks: int) -> int:
    crosses = marks + (LOCKED <= code < DEAD)
    return crosses * (crosses + 1) // 2


ROWS = tuple(_rows())
END = tuple(end for end, _, _ in ROWS)  # code → cells up to the last mark
FACE = tuple(_face(code, marks) for code, (_, marks, _) in enumerate(ROWS))  # code → points of the row
NEXT = tuple(  # code and cell → code after a mark there, or NEVER
    _marked(end, marks, cell, is_closed=is_closed) for end, marks, is_closed in ROWS for cell in range(CELLS)
)
CLOSED_BY_OTHER = tuple(  # code → code after another player closed the row
    code if LOCKED <= code < DEAD else DEAD + marks for code, (_, marks, _) in enumerate(ROWS)
)
IS_LOCKABLE = tuple(int(code < OPEN and marks >= BEFORE_LAST) for code, (_, marks, _) in enumerate(ROWS))
