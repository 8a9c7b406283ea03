"""Expected values of runs of empty cells between two written numbers of a Qwinto row, computed once.

A number that fits into one run of a row fits into no other, so the runs of a row are independent.
"""

from collections.abc import Sequence
from functools import cache
from operator import add
from typing import NamedTuple

from games.bots.qwinto_ideal import sums

CELLS = 9
LOWEST, HIGHEST = 0, 19  # virtual numbers before the first cell and behind the last
TURNS = 28  # the most turns for which values are computed
THROWN = (0.15, 0.35, 0.5)  # the shares of throws with one, two and three dice
FREE = 1.0  # the share of fitting numbers that are not written into another row

Worths = list[list[list[float]]]  # number before → number behind → empty cells → …


class Runs(NamedTuple):
    """Expected values of a run with so many turns left."""

    filled: Worths  # the number of its cells that will be filled
    full: Worths  # the probability that all of them will be filled
    last: Worths  # the number in its last cell, times the probability that the run is full


@cache
def offers() -> tuple[float, ...]:
    """The probability of each number to be rolled in a turn and to be free for a given row.

    >>> sum(offers()) < 1, len(offers()), offers()[0]
    (True, 19, 0.0)
    """
    chances = [0.0] * HIGHEST
    for dice, share in enumerate(THROWN, start=1):
        for number, chance in sums(dice):
            chances[number] += FREE * share * chance * dice / 3  # a row takes part if its die is rolled
    return tuple(chances)


@cache
def runs() -> tuple[Runs, ...]:
    """Values by turns left. Computing them takes a few tenths of a second, once."""
    turns = [_without_turns()]
    for _ in range(TURNS):
        turns.append(_with_one_more_turn(turns[-1]))
    return tuple(turns)


def _without_turns() -> Runs:
    nothing, whole = [0.0] * (CELLS + 1), [1.0] + [0.0] * CELLS
    return Runs(_for_all_limits(nothing), _for_all_limits(whole), _for_all_limits(nothing))


def _for_all_limits(worths: list[float]) -> Worths:
    return [[worths] * (HIGHEST + 1) for _ in range(HIGHEST + 1)]


def _with_one_more_turn(later: Runs) -> Runs:
    sooner = _without_turns()
    for low in range(LOWEST, HIGHEST - 1):
        for high in range(low + 2, HIGHEST + 1):
            for worths, found in zip(sooner, _between(later, low, high), strict=True):
                worths[low][high] = found
    return sooner


def _between(later: Runs, low: int, high: int) -> tuple[list[float], list[float], list[float]]:
    """Runs of any length between two numbers. More cells than numbers between them stay empty."""
    filled, full, last = (worths[low][high].copy() for worths in later)
    useful = min(CELLS, high - low - 1)
    for number in range(low + 1, high):
        _take(later, low, number, high, filled, full, last)
    filled[useful + 1 :] = [filled[useful]] * (CELLS - useful)
    return filled, full, last


def _take(
    later: Runs, low: int, number: int, high: int, filled: list[float], full: list[float], last: list[float]
) -> None:
    """Adds the gain of this number for each run: written where most cells will be filled, or not at all."""
    chance, kept = offers()[number], later.filled[low][high]
    left, right = later.filled[low][number], later.filled[number][high]
    for empties in range(1, min(CELLS, high - low - 1) + 1):
        worths = list(map(add, left[:empties], right[empties - 1 :: -1]))
        most = max(worths)
        gain = most + 1 - kept[empties]
        if gain > 0:
            before = worths.index(most)
            behind = empties - 1 - before
            whole = later.full[low][number][before]
            ending = later.last[number][high][behind] if behind else float(number)
            filled[empties] += chance * gain
            full[empties] += chance * (whole * later.full[number][high][behind] - later.full[low][high][empties])
            last[empties] += chance * (whole * ending - later.last[low][high][empties])


def split(row: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """The runs of a row: start, length, the number before and the number behind.

    >>> split((0, 0, 6, 0, 9, 12, 13, 14, 0))
    [(0, 2, 0, 6), (3, 1, 6, 9), (8, 1, 14, 19)]
    """
    found, start, low = [], 0, LOWEST
    for place, number in enumerate((*row, HIGHEST)):
        if number:
            if place > start:
                found.append((start, place - start, low, number))
            start, low = place + 1, number
    return found
