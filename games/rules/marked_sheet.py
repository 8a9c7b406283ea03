"""Questions about one seat's Qwixx sheet, without turn or dice: order of marks, crosses, points."""

from games.rules.qwixx_sheets import MarkedSheet, Place, QwixxSheet


def cross(marked: MarkedSheet, row: int, column: int) -> MarkedSheet:
    marks = marked.marks
    return MarkedSheet((*marks[:row], marks[row] | 1 << column, *marks[row + 1 :]), marked.penalties, marked.notes)


def note(marked: MarkedSheet, clause: int, value: int) -> MarkedSheet:
    return marked._replace(notes=(*marked.notes[:clause], value, *marked.notes[clause + 1 :]))


def is_last(sheet: QwixxSheet, row: int, column: int) -> bool:
    """Whether this is the number that closes its row; a bonus row has none."""
    return column == len(sheet.rows[row].numbers) - 1 and sheet.rows[row].lock is not None


def has_last(sheet: QwixxSheet, marked: MarkedSheet, row: int) -> bool:
    return bool(marked.marks[row] >> len(sheet.rows[row].numbers) - 1 & 1)


def crosses(sheet: QwixxSheet, marked: MarkedSheet, row: int) -> int:
    """The crosses in a row, without the lock."""
    count = marked.marks[row].bit_count()
    if sheet.clauses:
        count += sum(clause.doubles(marked, kept, row) for clause, kept in sheet.extras(marked))
    return count


def order_refusal(sheet: QwixxSheet, marked: MarkedSheet, row: int, column: int) -> str | None:
    """Rule 1.2: strictly right of the right-most mark, and enough marks before the last cell."""
    if marked.marks[row] >> column:
        return "left_to_right"
    if is_last(sheet, row, column) and crosses(sheet, marked, row) < sheet.marks_before_last:
        return "lock_needs_marks"
    return None


def next_cell(sheet: QwixxSheet, marked: MarkedSheet, row: int) -> tuple[Place, ...]:
    """The cell of a forced mark, if there is one: the left-most of the row that may still be crossed."""
    column = marked.marks[row].bit_length()
    is_free = column < len(sheet.rows[row].numbers) and order_refusal(sheet, marked, row, column) is None
    return ((row, column),) if is_free else ()


def row_points(sheet: QwixxSheet, marked: MarkedSheet, row: int) -> int:
    """Rule 1.5: n crosses score n(n+1)/2; the lock is one more cross."""
    count = crosses(sheet, marked, row) + has_last(sheet, marked, row)
    if sheet.clauses:
        count += sum(clause.lends(marked, row) for clause in sheet.clauses)
    count = min(count, sheet.most_crosses)
    return count * (count + 1) // 2


def bonus(sheet: QwixxSheet, marked: MarkedSheet, rows: tuple[int, ...]) -> int:
    """The points that the sheet's clauses add to the points of its rows."""
    return sum(clause.pays(marked, kept, rows) for clause, kept in sheet.extras(marked))
