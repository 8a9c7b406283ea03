"""Two-player Qwixx played by a table against itself, in functions plain enough to be compiled; learns nothing.

A row is its code (`games/bots/qwixx_codes.py`); rows come in the order red, yellow, green, blue.
"""

from typing import Any, NamedTuple

from games.bots import qwixx_codes as codes
from games.bots import qwixx_weights as w
from games.bots.qwixx_codes import Codes
from games.bots.trainer.compiled import compiled, numbers

FEATURES = 40  # look-ups a position, each with its sign
WON = 1000.0

END, FACE, NEXT = numbers(codes.END), numbers(codes.FACE), numbers(codes.NEXT)
DIES, IS_LOCKABLE = numbers(codes.DIES), numbers(codes.IS_LOCKABLE)
CODES, CELLS, LOCKED = codes.CODES, codes.CELLS, codes.LOCKED
BY_STAGE, BY_STEP, FACING, ALONG, ACROSS = w.BY_STAGE, w.BY_STEP, w.FACING, w.ALONG, w.ACROSS
LEAD, PENALTY, ROLLER = w.LEAD, w.PENALTY, w.ROLLER
CELLS_A_STEP, LEADS, POINTS_A_LEAD, PENALTIES = w.CELLS_A_STEP, w.LEADS, w.POINTS_A_LEAD, w.PENALTIES


Dice = tuple[int, int, int, int, int, int]  # two white ones, then one a row


class Side(NamedTuple):
    """One player's pad."""

    rows: Codes
    penalties: int


class Desk(NamedTuple):
    """The table that plays, and room for the look-ups of a position."""

    weights: Any
    places: Any
    signs: Any


@compiled
def stage_of(mine: Side, theirs: Side) -> int:
    closed, lockable = 0, 0
    for row in range(4):
        closed += mine.rows[row] >= LOCKED
        lockable += IS_LOCKABLE[mine.rows[row]] | IS_LOCKABLE[theirs.rows[row]]
    return (min(closed, 1) * 5 + lockable) * 4 + min(3, max(mine.penalties, theirs.penalties))


@compiled
def step_of(mine: Side, theirs: Side) -> int:
    gone = 0
    for row in range(4):
        gone += END[mine.rows[row]] + END[theirs.rows[row]]
    return gone // CELLS_A_STEP


@compiled
def lead_of(mine: Side, theirs: Side) -> int:
    lead = 5 * (theirs.penalties - mine.penalties)
    for row in range(4):
        lead += FACE[mine.rows[row]] - FACE[theirs.rows[row]]
    return lead


@compiled
def pair(table: int, one: int, other: int) -> int:
    return table + min(one, other) * CODES + max(one, other)


@compiled
def row_features(desk: Desk, at: int, mine: Side, theirs: Side, stage: int, step: int) -> None:
    places, signs = desk.places, desk.signs
    for row in range(4):
        a, b = mine.rows[row], theirs.rows[row]
        places[at], signs[at] = BY_STAGE + stage * CODES + a, 1
        places[at + 1], signs[at + 1] = BY_STAGE + stage * CODES + b, -1
        places[at + 2], signs[at + 2] = BY_STEP + step * CODES + a, 1
        places[at + 3], signs[at + 3] = BY_STEP + step * CODES + b, -1
        places[at + 4], signs[at + 4] = FACING + a * CODES + b, 1
        places[at + 5], signs[at + 5] = FACING + b * CODES + a, -1
        at += 6


@compiled
def pair_features(desk: Desk, at: int, mine: Codes, theirs: Codes) -> None:
    places, signs = desk.places, desk.signs
    for one, other in ((0, 1), (2, 3)):
        places[at], signs[at] = pair(ALONG, mine[one], mine[other]), 1
        places[at + 1], signs[at + 1] = pair(ALONG, theirs[one], theirs[other]), -1
        at += 2
    for one, other in ((0, 2), (0, 3), (1, 2), (1, 3)):
        places[at], signs[at] = pair(ACROSS, mine[one], mine[other]), 1
        places[at + 1], signs[at + 1] = pair(ACROSS, theirs[one], theirs[other]), -1
        at += 2


@compiled
def features(desk: Desk, start: int, mine: Side, theirs: Side, roller: int) -> None:
    """Every look-up of a position, from `start` on; `roller` is 1 if I roll next, -1 if the other does."""
    stage, step = stage_of(mine, theirs), step_of(mine, theirs)
    row_features(desk, start, mine, theirs, stage, step)
    pair_features(desk, start + 24, mine.rows, theirs.rows)
    places, signs, at = desk.places, desk.signs, start + 36
    lead = lead_of(mine, theirs)
    size = min(LEADS - 1, (abs(lead) + POINTS_A_LEAD - 1) // POINTS_A_LEAD)
    places[at], signs[at] = LEAD + stage * LEADS + size, (lead > 0) - (lead < 0)
    places[at + 1], signs[at + 1] = PENALTY + step * PENALTIES + mine.penalties, 1
    places[at + 2], signs[at + 2] = PENALTY + step * PENALTIES + theirs.penalties, -1
    places[at + 3], signs[at + 3] = ROLLER + stage, roller


@compiled
def summed(desk: Desk, start: int) -> float:
    total = 0.0
    for at in range(start, start + FEATURES):
        total += desk.signs[at] * desk.weights[desk.places[at]]
    return total


@compiled
def is_over(mine: Side, theirs: Side) -> bool:
    closed = 0
    for row in range(4):
        closed += mine.rows[row] >= LOCKED
    return closed >= 2 or mine.penalties >= 4 or theirs.penalties >= 4


@compiled
def worth(desk: Desk, mine: Side, theirs: Side, roller: int) -> float:
    """The logit of winning; beyond reach when it is over."""
    if is_over(mine, theirs):
        lead = lead_of(mine, theirs)
        return WON * ((lead > 0) - (lead < 0)) + lead
    features(desk, 0, mine, theirs, roller)
    return summed(desk, 0)


@compiled
def with_row(side: Side, row: int, code: int) -> Side:
    rows = side.rows
    changed = (
        code if row == 0 else rows[0],
        code if row == 1 else rows[1],
        code if row == 2 else rows[2],
        code if row == 3 else rows[3],
    )
    return Side(changed, side.penalties)


@compiled
def marked(mine: Side, row: int, number: int) -> int:
    """The code of the row after this number is crossed in it, or less than 0."""
    return NEXT[mine.rows[row] * CELLS + (number - 2 if row < 2 else 12 - number)]  # type: ignore[no-any-return]


@compiled
def closing(theirs: Side, row: int, code: int) -> Side:
    """The other's pad after a row of mine became this."""
    return with_row(theirs, row, DIES[theirs.rows[row]]) if code >= LOCKED else theirs


@compiled
def best_colour(desk: Desk, mine: Side, theirs: Side, has_marked: bool, dice: Dice) -> tuple[float, int, int]:
    """Of the active player: what it comes to, the row and its new code; row -1 is a pass."""
    penalties = mine.penalties + (0 if has_marked else 1)
    best = worth(desk, Side(mine.rows, penalties), theirs, -1)
    best_row, best_code = -1, 0
    for row in range(4):
        for white in range(2):
            code = marked(mine, row, dice[white] + dice[2 + row])
            if code >= 0:
                value = worth(desk, with_row(mine, row, code), closing(theirs, row, code), -1)
                if value > best:
                    best, best_row, best_code = value, row, code
    return best, best_row, best_code


@compiled
def reach(desk: Desk, mine: Side, theirs: Side, has_marked: bool, is_active: bool, dice: Dice) -> float:
    """What a pad comes to after action 1, the best action 2 included if it is my turn."""
    if not is_active or is_over(mine, theirs):
        return worth(desk, mine, theirs, -1 if is_active else 1)
    return best_colour(desk, mine, theirs, has_marked, dice)[0]


@compiled
def best_white(desk: Desk, mine: Side, theirs: Side, is_active: bool, dice: Dice) -> tuple[int, int]:
    """The row and its new code; row -1 is a pass."""
    has_marked = False
    best = reach(desk, mine, theirs, has_marked, is_active, dice)
    best_row, best_code = -1, 0
    for row in range(4):
        code = marked(mine, row, dice[0] + dice[1])
        if code >= 0:
            own, other = with_row(mine, row, code), closing(theirs, row, code)
            value = reach(desk, own, other, not has_marked, is_active, dice)
            if value > best:
                best, best_row, best_code = value, row, code
    return best_row, best_code


@compiled
def white_answers(desk: Desk, mine: Side, theirs: Side, dice: Dice) -> tuple[Side, Side, bool]:
    """Both pads after both have answered action 1 at once, and whether the active player has marked."""
    is_active = True
    my_row, my_code = best_white(desk, mine, theirs, is_active, dice)
    their_row, their_code = best_white(desk, theirs, mine, not is_active, dice)
    if my_row >= 0:
        mine = with_row(mine, my_row, my_code)
    if their_row >= 0:
        theirs = with_row(theirs, their_row, their_code)
    if my_row >= 0:
        theirs = closing(theirs, my_row, my_code)
    if their_row >= 0:
        mine = closing(mine, their_row, their_code)
    return mine, theirs, my_row >= 0


@compiled
def turn(desk: Desk, mine: Side, theirs: Side, dice: Dice) -> tuple[Side, Side]:
    """Both pads after the active player's turn."""
    mine, theirs, has_marked = white_answers(desk, mine, theirs, dice)
    if is_over(mine, theirs):
        return mine, theirs
    _, row, code = best_colour(desk, mine, theirs, has_marked, dice)
    if row >= 0:
        return with_row(mine, row, code), closing(theirs, row, code)
    return Side(mine.rows, mine.penalties + (0 if has_marked else 1)), theirs
