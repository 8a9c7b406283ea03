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
from games.rules.qwixx import QWIXX, QwixxState
from games.rules.qwixx_sheets import SHEETS, MarkedSheet, QwixxRow, QwixxSheet

TURNS = 30  # of a whole game
LAST_TURNS = 12  # rows are never valued with fewer turns left
# The probability that each of a turn's two offers is free for this row; turns are counted backwards.
OFFERS = (0.9, 0.1)
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
    sheet = SHEETS[state.sheet]
    worths = [_sheet_worth(sheet, marked, state.closed, turns) for marked in state.seat_sheets]
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
            marks = marked.marks[row]
            total += _programme_of(sheet, row)[turns][marks.bit_length()][_crosses(sheet, marked, row)]
    if sheet.clauses:
        points = tuple(marked_sheet.row_points(sheet, marked, row) for row in sheet.scored_rows)
        total += marked_sheet.bonus(sheet, marked, points)
    return total


def _crosses(sheet: QwixxSheet, marked: MarkedSheet, row: int) -> int:
    if not sheet.clauses:
        return marked.marks[row].bit_count()
    lent = sum(clause.lends(marked, row) for clause in sheet.clauses)
    return min(sheet.most_crosses, marked_sheet.crosses(sheet, marked, row) + lent)


@cache
def _programme_of(sheet: QwixxSheet, row: int) -> Programme:
    return programme(chances(sheet.rows[row]), sheet.marks_before_last, sheet.most_crosses)


def chances(row: QwixxRow) -> tuple[float, ...]:
    """The probability of two dice to show the number of each cell."""
    return tuple((6 - abs(number - 7)) / 36 for number in row.numbers)


@cache
def programme(chances: tuple[float, ...], before_last: int, most: int) -> Programme:
    """The value of a row for every number of turns left, last mark and count of crosses.

    >>> classic = programme(chances(SHEETS["classic"].rows[0]), 5, 12)
    >>> classic[0][11][6], classic[30][0][0] > classic[15][0][0] > 0
    (28.0, True)
    """
    cells = len(chances)
    turns = [[[_points(crosses + (end == cells), most) for crosses in range(most + 1)] for end in range(cells + 1)]]
    for _ in range(TURNS):
        after = turns[-1]
        for chance in OFFERS:
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
