"""A Qwixx bot that marks what skips the fewest cells; it plays every sheet."""

from collections.abc import Sequence

from games.bots.bot import RandomSource
from games.rules.actions import PASS, Action, Mark
from games.rules.layouts.qwixx_layouts import SHEETS
from games.rules.qwixx import COLOUR, QwixxState

MOST_SKIPPED = 2
MOST_SKIPPED_TO_AVOID_PENALTY = 4


def choose(position: QwixxState, seat: int, options: Sequence[Action], _rng: RandomSource) -> Action:
    """The mark that skips the fewest cells, if those are few enough; the first of equals."""
    marks = [action for action in options if isinstance(action, Mark)]
    if not marks:
        return options[0]
    is_penalty_next = position.phase == COLOUR and not position.has_marked
    best = min(marks, key=lambda mark: skipped(position, seat, mark))
    most = MOST_SKIPPED_TO_AVOID_PENALTY if is_penalty_next else MOST_SKIPPED
    return best if skipped(position, seat, best) <= most else PASS


def skipped(position: QwixxState, seat: int, mark: Mark) -> int:
    """The number of cells that this mark skips."""
    cell = SHEETS[position.sheet].cells[mark.row][mark.number]
    return cell.column - position.seat_sheets[seat].marks[cell.row].bit_length()
