"""What can be said of one Qwixx pad by itself: which cell is next, how many crosses, what they score."""

from games.rules.sheets import Pad, Sheet


def cross(pad: Pad, row: int, column: int) -> Pad:
    marks = pad.marks
    return Pad((*marks[:row], marks[row] | 1 << column, *marks[row + 1 :]), pad.penalties, pad.notes)


def note(pad: Pad, clause: int, value: int) -> Pad:
    return pad._replace(notes=(*pad.notes[:clause], value, *pad.notes[clause + 1 :]))


def is_last(sheet: Sheet, row: int, column: int) -> bool:
    """Is this the number that closes its row? A bonus row never closes."""
    return column == len(sheet.rows[row].numbers) - 1 and sheet.rows[row].lock is not None


def has_last(sheet: Sheet, pad: Pad, row: int) -> bool:
    return bool(pad.marks[row] >> len(sheet.rows[row].numbers) - 1 & 1)


def crosses(sheet: Sheet, pad: Pad, row: int) -> int:
    """The crosses in a row, its lock's apart."""
    count = pad.marks[row].bit_count()
    if sheet.clauses:
        count += sum(clause.doubles(pad, kept, row) for clause, kept in sheet.extras(pad))
    return count


def order_refusal(sheet: Sheet, pad: Pad, row: int, column: int) -> str | None:
    """Rule 1.2: strictly right of the right-most mark, and enough marks before the last cell."""
    if pad.marks[row] >> column:
        return "left_to_right"
    if is_last(sheet, row, column) and crosses(sheet, pad, row) < sheet.marks_before_last:
        return "lock_needs_marks"
    return None


def row_points(sheet: Sheet, pad: Pad, row: int) -> int:
    """Rule 1.5: n crosses pay n(n+1)/2; the last number's lock is one more cross."""
    count = crosses(sheet, pad, row) + has_last(sheet, pad, row)
    if sheet.clauses:
        count += sum(clause.lends(pad, row) for clause in sheet.clauses)
    count = min(count, sheet.most_crosses)
    return count * (count + 1) // 2


def bonus(sheet: Sheet, pad: Pad, rows: tuple[int, ...]) -> int:
    """What the sheet's clauses pay on top of the points of its rows."""
    return sum(clause.pays(pad, kept, rows) for clause, kept in sheet.extras(pad))
