"""Qwixx by a learned table: the chance of winning as a sum of look-ups, and the turn searched to its end.

Plays the classic sheet; on any other, where nothing was learned, it plays by rows.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import NamedTuple

from games.bots import qwixx_rows
from games.bots import qwixx_weights as w
from games.bots.player import Luck
from games.bots.qwixx_codes import CODES, END, FACE, IS_LOCKABLE, code_of
from games.bots.qwixx_search import best, is_over
from games.rules.actions import Action
from games.rules.qwixx import PENALTY_POINTS, QWIXX, State
from games.rules.sheets import CLASSIC, SHEETS, Pad

FILE = "tables/qwixx.bin"
Codes = tuple[int, ...]
Square = tuple[tuple[float, ...], ...]


class Table(NamedTuple):
    """The learned weights, laid out for play."""

    by_stage: Square  # stage → row
    by_step: Square  # step → row
    facing: Square  # my row → the same row of another, for me and against him at once
    along: Square  # own row → own row that runs the same way
    across: Square  # own row → own row that runs against it
    lead: Square  # stage → lead
    penalty: Square  # step → own penalties
    roller: tuple[float, ...]  # stage


def choose(position: State, seat: int, options: Sequence[Action], luck: Luck) -> Action:
    if SHEETS[position.sheet] is not CLASSIC:
        return qwixx_rows.choose(position, seat, options, luck)
    return best(position, seat, options, worth)


def worth(state: State, seat: int) -> float:
    """The chance that this seat wins: for two by the table, for more as the product over all others."""
    if is_over(state):
        return _result(state, seat)
    chance = 1.0
    for logit in logits(state, seat):
        chance /= 1 + exp(-logit)
    return chance


def _result(state: State, seat: int) -> float:
    """What it has come to: the part of the win, and a little for the points."""
    totals = [QWIXX.points(state, other)["total"] for other in range(len(state.pads))]
    ahead = totals[seat] - max(total for other, total in enumerate(totals) if other != seat)
    return (ahead > 0) + (ahead == 0) / 2 + ahead / 1e6


def logits(state: State, seat: int) -> Iterator[float]:
    """For each other seat, in order, the logit of ending up ahead of it."""
    table = learned()
    pads = [_codes(pad, state.closed) for pad in state.pads]
    stage, step = _stage(state, pads), _step(pads)
    mine, my_pad = pads[seat], state.pads[seat]
    following = (state.active + 1) % len(pads)
    own = _own(table, mine, my_pad.penalties, stage, step)
    for other, theirs in enumerate(pads):
        if other != seat:
            penalties = state.pads[other].penalties
            total = own - _own(table, theirs, penalties, stage, step)
            lead = PENALTY_POINTS * (penalties - my_pad.penalties)
            for one, two in zip(mine, theirs, strict=True):
                total += table.facing[one][two]
                lead += FACE[one] - FACE[two]
            total += _lead(table, stage, lead)
            yield total + table.roller[stage] * ((following == seat) - (following == other))


def _codes(pad: Pad, closed: int) -> Codes:
    return tuple(
        code_of(marks.bit_length(), marks.bit_count(), is_closed=bool(closed >> row & 1))
        for row, marks in enumerate(pad.marks)
    )


def _stage(state: State, pads: Sequence[Codes]) -> int:
    """How near the end may be: rows closed, rows that somebody could close, the most penalties of anybody."""
    lockable = sum(any(IS_LOCKABLE[code] for code in row) for row in zip(*pads, strict=True))
    penalties = max(pad.penalties for pad in state.pads)
    return (min(1, state.closed.bit_count()) * 5 + lockable) * 4 + min(3, penalties)


def _step(pads: Sequence[Codes]) -> int:
    """How much of the pads is gone, as if there were two of them."""
    gone = sum(END[code] for pad in pads for code in pad)
    return gone * 2 // (w.CELLS_A_STEP * len(pads))


def _own(table: Table, pad: Codes, penalties: int, stage: int, step: int) -> float:
    """What a pad is worth by itself."""
    red, yellow, green, blue = pad
    by_stage, by_step = table.by_stage[stage], table.by_step[step]
    from_red, from_yellow = table.across[red], table.across[yellow]
    return (
        by_stage[red] + by_stage[yellow] + by_stage[green] + by_stage[blue]
        + by_step[red] + by_step[yellow] + by_step[green] + by_step[blue]
        + table.along[red][yellow] + table.along[green][blue]
        + from_red[green] + from_red[blue] + from_yellow[green] + from_yellow[blue]
        + table.penalty[step][penalties]
    )  # fmt: skip


def _lead(table: Table, stage: int, lead: int) -> float:
    size = min(w.LEADS - 1, (abs(lead) + w.POINTS_A_LEAD - 1) // w.POINTS_A_LEAD)
    worth = table.lead[stage][size]
    return worth if lead > 0 else -worth if lead < 0 else 0.0


@cache
def learned() -> Table:
    """The table that comes with the package, read once, like a module."""
    return laid_out(w.unpacked(files("games.bots").joinpath(FILE).read_bytes()))


def laid_out(weights: Sequence[float]) -> Table:
    def square(start: int, count: int, width: int) -> Square:
        return tuple(tuple(weights[at : at + width]) for at in range(start, start + count * width, width))

    facing, along, across = (square(start, CODES, CODES) for start in (w.FACING, w.ALONG, w.ACROSS))
    return Table(
        square(w.BY_STAGE, w.STAGES, CODES),
        square(w.BY_STEP, w.STEPS, CODES),
        tuple(tuple(facing[a][b] - facing[b][a] for b in range(CODES)) for a in range(CODES)),
        _mirrored(along),
        _mirrored(across),
        square(w.LEAD, w.STAGES, w.LEADS),
        square(w.PENALTY, w.STEPS, w.PENALTIES),
        tuple(weights[w.ROLLER : w.ROLLER + w.STAGES]),
    )


def _mirrored(square: Square) -> Square:
    """A pair of rows is one pair whichever comes first; the weights have it once."""
    return tuple(tuple(square[min(a, b)][max(a, b)] for b in range(CODES)) for a in range(CODES))
