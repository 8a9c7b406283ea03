"""A Qwixx bot that values each row by dynamic programming, as if the other rows did not exist.

A row is offered the white sum in most turns and a coloured sum in some, and takes an offer that gains points. The bot
plays every sheet; extras count with their current points.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from games.bots.bot import RandomSource
from games.bots.qwixx_search import best, is_over
from games.rules import marked_sheet
from games.rules.actions import Action
from games.rules.layouts.qwixx_layouts import SHEETS
from games.rules.qwixx import QWIXX, QwixxState
from games.rules.qwixx_sheets import COLOURS, MarkedSheet, QwixxRow, QwixxSheet

TURNS = 30  # of a whole game
LAST_TURNS = 12  # rows are never valued with fewer turns left
# The probability that each of a turn's two offers is free for this row; turns are counted backwards.
OFFERS = (0.9, 0.1)
OFFERS_WHERE_MIXED = (0.7, 0.0)  # on sheets whose numbers or colours are mixed, chosen by tournaments of 1,000 games
BONUS_CELL = 0.6  # the probability that an allowed bonus cell with the most frequent number will be crossed
PENALTY = 7.0  # the cost of a penalty, its share in ending the game included
WON = 1000.0
REMEMBERED = 4096  # sheets; those of other seats are the same for each of the own answers

Programme = tuple[list[list[float]], ...]  # turns left → cells up to the last mark → crosses → expected points


def choose(position: QwixxState, seat: int, options: Sequence[Action], _rng: RandomSource) -> Action:
    turns = turns_left(position)
    return best(position, seat, options, lambda state, me: worth(state, me, turns))


def worth(state: QwixxState, seat: int, turns: int) -> float:
    """The expected lead of this seat over the best other seat."""
    if is_over(state):
        totals = [QWIXX.points(state, other)["total"] for other in range(len(state.seat_sheets))]
        ahead = totals.pop(seat) - max(totals)
        return ahead + WON * ((ahead > 0) - (ahead < 0))
    sheets = enumerate(state.seat_sheets)
    worths = [_sheet_worth(state.sheet_of(other), marked, state.closed, turns) for other, marked in sheets]
    return worths.pop(seat) - max(worths)


def turns_left(state: QwixxState) -> int:
    """
    >>> turns_left(QWIXX.opening("classic", 2))
    30
    """
    sheet = SHEETS[state.sheet]
    done = sum(_progress(sheet, marked, state.closed) for marked in state.seat_sheets) / len(state.seat_sheets)
    return max(LAST_TURNS, round(TURNS * (1 - done)))


def _progress(sheet: QwixxSheet, marked: MarkedSheet, closed: int) -> float:
    """The share of a sheet's cells up to the last marks."""
    parts = [
        1.0 if closed >> row & 1 else marked.marks[row].bit_length() / len(sheet.rows[row].numbers)
        for row in sheet.scored_rows
    ]
    return sum(parts) / len(parts)


@lru_cache(maxsize=REMEMBERED)
def _sheet_worth(sheet: QwixxSheet, marked: MarkedSheet, closed: int, turns: int) -> float:
    total = -PENALTY * marked.penalties
    for row in sheet.scored_rows:
        if closed >> row & 1:
            total += marked_sheet.row_points(sheet, marked, row)
        else:
            total += _row_worth(_programme_of(sheet, row)[turns][marked.marks[row].bit_length()], sheet, marked, row)
    if sheet.clauses:
        points = tuple(marked_sheet.row_points(sheet, marked, row) for row in sheet.scored_rows)
        total += marked_sheet.bonus(sheet, marked, points)
    return total


def _row_worth(worths: list[float], sheet: QwixxSheet, marked: MarkedSheet, row: int) -> float:
    """The value of an open row, given its values by crosses; expected crosses make a number between two of them."""
    crosses: float = _crosses(sheet, marked, row)
    for bonus_row in _lending_rows(sheet, row):
        crosses += _expected_crosses(sheet, marked, bonus_row)
    low = min(sheet.most_crosses - 1, int(crosses))
    return worths[low] + min(1.0, crosses - low) * (worths[low + 1] - worths[low])


@cache
def _lending_rows(sheet: QwixxSheet, row: int) -> tuple[int, ...]:
    """The rows without a lock whose crosses count in this row, too."""
    opening, unlocked = sheet.opening(), set(range(len(sheet.rows))) - set(sheet.scored_rows)
    lends = [(other, clause) for other in sorted(unlocked) for clause in sheet.clauses]
    return tuple([other for other, clause in lends if clause.lends(marked_sheet.cross(opening, other, 0), row)])


def _expected_crosses(sheet: QwixxSheet, marked: MarkedSheet, row: int) -> float:
    """How many of the cells that a bonus row allows now will be crossed."""
    likely, allowed = _likely(sheet, row), range(marked.marks[row].bit_length(), len(sheet.rows[row].numbers))
    return sum([likely[column] for column in allowed if _is_admitted(sheet, marked, row, column)])


def _is_admitted(sheet: QwixxSheet, marked: MarkedSheet, row: int, column: int) -> bool:
    return any(clause.admits(marked, row, column, colour) for clause in sheet.clauses for colour in COLOURS)


@cache
def _likely(sheet: QwixxSheet, row: int) -> tuple[float, ...]:
    highest = max(chances(sheet.rows[row]))
    return tuple([BONUS_CELL * chance / highest for chance in chances(sheet.rows[row])])


def _crosses(sheet: QwixxSheet, marked: MarkedSheet, row: int) -> int:
    if not sheet.clauses:
        return marked.marks[row].bit_count()
    lent = sum(clause.lends(marked, row) for clause in sheet.clauses)
    return min(sheet.most_crosses, marked_sheet.crosses(sheet, marked, row) + lent)


@cache
def _programme_of(sheet: QwixxSheet, row: int) -> Programme:
    offers = OFFERS_WHERE_MIXED if _is_mixed(sheet) else OFFERS
    return programme(chances(sheet.rows[row]), sheet.marks_before_last, sheet.most_crosses, offers)


def _is_mixed(sheet: QwixxSheet) -> bool:
    """Whether a row's numbers neither rise nor fall, or have several colours."""
    return any(
        sorted(row.numbers) not in ([*row.numbers], [*row.numbers[::-1]]) or len({*row.colours}) > 1
        for row in sheet.rows
    )


def chances(row: QwixxRow) -> tuple[float, ...]:
    """The probability of two dice to show the number of each cell."""
    return tuple((6 - abs(number - 7)) / 36 for number in row.numbers)


@cache
def programme(chances: tuple[float, ...], before_last: int, most: int, offers: tuple[float, ...] = OFFERS) -> Programme:
    """The value of a row for every number of turns left, last mark and count of crosses.

    >>> classic = programme(chances(SHEETS["classic"].rows[0]), 5, 12)
    >>> classic[0][11][6], classic[30][0][0] > classic[15][0][0] > 0
    (28.0, True)
    """
    cells = len(chances)
    turns = [[[_points(crosses + (end == cells), most) for crosses in range(most + 1)] for end in range(cells + 1)]]
    for _ in range(TURNS):
        after = turns[-1]
        for chance in offers:
            after = _offered(after, [chance * part for part in chances], before_last)
        turns.append(after)
    return tuple(turns)


def _points(crosses: int, most: int) -> float:
    return min(crosses, most) * (min(crosses, most) + 1) / 2


def _offered(later: list[list[float]], chances: list[float], before_last: int) -> list[list[float]]:
    """The values before an offer, given the values after it: a mark is made if it gains points."""
    last = len(chances) - 1
    sooner = []
    for end, worths in enumerate(later):
        worths_before = []
        for crosses, kept in enumerate(worths):
            total, more = kept, min(crosses + 1, len(worths) - 1)
            for cell in range(end, last + (crosses >= before_last)):
                gain = later[cell + 1][more] - kept
                if gain > 0:
                    total += chances[cell] * gain
            worths_before.append(total)
        sooner.append(worths_before)
    return sooner
