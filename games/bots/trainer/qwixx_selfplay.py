"""Self-play of two-player Qwixx with learned weights, in functions that numba can compile.

A row is its code (`games/bots/qwixx_codes.py`); rows come in the order red, yellow, green, blue.
"""

from typing import Any, NamedTuple

from games.bots import qwixx_codes as codes
from games.bots import qwixx_weights as w
from games.bots.qwixx_codes import Codes
from games.bots.trainer.compiled import compiled, numbers

FEATURES = 40  # weights per position, each with its sign
WON = 1000.0

END, FACE, NEXT = numbers(codes.END), numbers(codes.FACE), numbers(codes.NEXT)
CLOSED_BY_OTHER, IS_LOCKABLE = numbers(codes.CLOSED_BY_OTHER), numbers(codes.IS_LOCKABLE)
CODES, CELLS, LOCKED = codes.CODES, codes.CELLS, codes.LOCKED
BY_STAGE, BY_STEP, FACING, ALONG, ACROSS = w.BY_STAGE, w.BY_STEP, w.FACING, w.ALONG, w.ACROSS
LEAD, PENALTY, ROLLER = w.LEAD, w.PENALTY, w.ROLLER
CELLS_A_STEP, LEADS, POINTS_A_LEAD, PENALTIES = w.CELLS_A_STEP, w.LEADS, w.POINTS_A_LEAD, w.PENALTIES


Dice = tuple[int, int, int, int, int, int]  # two white ones, then one a row


class Side(NamedTuple):
    """One player's sheet."""

    rows: Codes
    penalties: int


class Workspace(NamedTuple):
    """The weights, and arrays for the weights of a position (their places and signs)."""

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
def pair(start: int, one: int, other: int) -> int:
    return start + min(one, other) * CODES + max(one, other)


@compiled
def row_features(workspace: Workspace, at: int, mine: Side, theirs: Side, stage: int, step: int) -> None:
    places, signs = workspace.places, workspace.signs
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
def pair_features(workspace: Workspace, at: int, mine: Codes, theirs: Codes) -> None:
    places, signs = workspace.places, workspace.signs
    for one, other in ((0, 1), (2, 3)):
        places[at], signs[at] = pair(ALONG, mine[one], mine[other]), 1
        places[at + 1], signs[at + 1] = pair(ALONG, theirs[one], theirs[other]), -1
        at += 2
    for one, other in ((0, 2), (0, 3), (1, 2), (1, 3)):
        places[at], signs[at] = pair(ACROSS, mine[one], mine[other]), 1
        places[at + 1], signs[at + 1] = pair(ACROSS, theirs[one], theirs[other]), -1
        at += 2


@compiled
def features(workspace: Workspace, start: int, mine: Side, theirs: Side, roller: int) -> None:
    """Stores the features of a position from `start` on; `roller` is 1 if I roll next, -1 if the other does."""
    stage, step = stage_of(mine, theirs), step_of(mine, theirs)
    row_features(workspace, start, mine, theirs, stage, step)
    pair_features(workspace, start + 24, mine.rows, theirs.rows)
    places, signs, at = workspace.places, workspace.signs, start + 36
    lead = lead_of(mine, theirs)
    size = min(LEADS - 1, (abs(lead) + POINTS_A_LEAD - 1) // POINTS_A_LEAD)
    places[at], signs[at] = LEAD + stage * LEADS + size, (lead > 0) - (lead < 0)
    places[at + 1], signs[at + 1] = PENALTY + step * PENALTIES + mine.penalties, 1
    places[at + 2], signs[at + 2] = PENALTY + step * PENALTIES + theirs.penalties, -1
    places[at + 3], signs[at + 3] = ROLLER + stage, roller


@compiled
def summed(workspace: Workspace, start: int) -> float:
    total = 0.0
    for at in range(start, start + FEATURES):
        total += workspace.signs[at] * workspace.weights[workspace.places[at]]
    return total


@compiled
def is_over(mine: Side, theirs: Side) -> bool:
    closed = 0
    for row in range(4):
        closed += mine.rows[row] >= LOCKED
    return closed >= 2 or mine.penalties >= 4 or theirs.penalties >= 4


@compiled
def worth(workspace: Workspace, mine: Side, theirs: Side, roller: int) -> float:
    """The logit of winning; a very large number when the game is over."""
    if is_over(mine, theirs):
        lead = lead_of(mine, theirs)
        return WON * ((lead > 0) - (lead < 0)) + lead
    features(workspace, 0, mine, theirs, roller)
    return summed(workspace, 0)


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
    """The other's sheet after a row of mine got this code."""
    return with_row(theirs, row, CLOSED_BY_OTHER[theirs.rows[row]]) if code >= LOCKED else theirs


@compiled
def best_colour(workspace: Workspace, mine: Side, theirs: Side, has_marked: bool, dice: Dice) -> tuple[float, int, int]:
    """The active player's best action 2: its value, the row and its new code; row -1 is a pass."""
    penalties = mine.penalties + (0 if has_marked else 1)
    best = worth(workspace, Side(mine.rows, penalties), theirs, -1)
    best_row, best_code = -1, 0
    for row in range(4):
        for white in range(2):
            code = marked(mine, row, dice[white] + dice[2 + row])
            if code >= 0:
                value = worth(workspace, with_row(mine, row, code), closing(theirs, row, code), -1)
                if value > best:
                    best, best_row, best_code = value, row, code
    return best, best_row, best_code


@compiled
def reach(workspace: Workspace, mine: Side, theirs: Side, has_marked: bool, is_active: bool, dice: Dice) -> float:
    """The value after action 1, the best action 2 included if it is my turn."""
    if not is_active or is_over(mine, theirs):
        return worth(workspace, mine, theirs, -1 if is_active else 1)
    return best_colour(workspace, mine, theirs, has_marked, dice)[0]


@compiled
def best_white(workspace: Workspace, mine: Side, theirs: Side, is_active: bool, dice: Dice) -> tuple[int, int]:
    """The row and its new code; row -1 is a pass."""
    has_marked = False
    best = reach(workspace, mine, theirs, has_marked, is_active, dice)
    best_row, best_code = -1, 0
    for row in range(4):
        code = marked(mine, row, dice[0] + dice[1])
        if code >= 0:
            own, other = with_row(mine, row, code), closing(theirs, row, code)
            value = reach(workspace, own, other, not has_marked, is_active, dice)
            if value > best:
                best, best_row, best_code = value, row, code
    return best_row, best_code


@compiled
def white_answers(workspace: Workspace, mine: Side, theirs: Side, dice: Dice) -> tuple[Side, Side, bool]:
    """Both sheets after action 1, and whether the active player has marked."""
    is_active = True
    my_row, my_code = best_white(workspace, mine, theirs, is_active, dice)
    their_row, their_code = best_white(workspace, theirs, mine, not is_active, dice)
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
def turn(workspace: Workspace, mine: Side, theirs: Side, dice: Dice) -> tuple[Side, Side]:
    """Both sheets after the active player's turn."""
    mine, theirs, has_marked = white_answers(workspace, mine, theirs, dice)
    if is_over(mine, theirs):
        return mine, theirs
    _, row, code = best_colour(workspace, mine, theirs, has_marked, dice)
    if row >= 0:
        return with_row(mine, row, code), closing(theirs, row, code)
    return Side(mine.rows, mine.penalties + (0 if has_marked else 1)), theirs
