"""Qwinto by runs, the arithmetic: what becomes of empty cells between two written numbers, worked out once.

Numbers that fit into one run fit into no other of its row, so the runs of a row do not know of each other.
"""

from collections.abc import Sequence
from functools import cache
from operator import add
from typing import NamedTuple

from games.bots.qwinto_ideal import sums

CELLS = 9
LOWEST, HIGHEST = 0, 19  # what stands, as it were, before the first cell and behind the last
TURNS = 28  # as far ahead as anything is worked out
THROWN = (0.15, 0.35, 0.5)  # how often one, two and three dice are thrown
FREE = 1.0  # how often a number that a row could take is not wanted elsewhere more

Worths = list[list[list[float]]]  # number before → number behind → empty cells → …


class Runs(NamedTuple):
    """What is to be expected of a run in so many turns."""

    filled: Worths  # how many of its cells will be
    full: Worths  # how likely it is that all of them will be
    last: Worths  # the number in its last cell, times the chance that it is full


@cache
def offers() -> tuple[float, ...]:
    """How likely a turn is to bring a row each number, and to leave it to the row.

    >>> sum(offers()) < 1, len(offers()), offers()[0]
    (True, 19, 0.0)
    """
    chances = [0.0] * HIGHEST
    for dice, share in enumerate(THROWN, start=1):
        for number, chance in sums(dice):
            chances[number] += FREE * share * chance * dice / 3  # a row takes part if its die is thrown
    return tuple(chances)


@cache
def runs() -> tuple[Runs, ...]:
    """By turns left. Takes a few tenths of a second, once."""
    turns = [_at_the_end()]
    for _ in range(TURNS):
        turns.append(_a_turn_before(turns[-1]))
    return tuple(turns)


def _at_the_end() -> Runs:
    nothing, whole = [0.0] * (CELLS + 1), [1.0] + [0.0] * CELLS
    return Runs(_everywhere(nothing), _everywhere(whole), _everywhere(nothing))


def _everywhere(worths: list[float]) -> Worths:
    return [[worths] * (HIGHEST + 1) for _ in range(HIGHEST + 1)]


def _a_turn_before(later: Runs) -> Runs:
    sooner = _at_the_end()
    for low in range(LOWEST, HIGHEST - 1):
        for high in range(low + 2, HIGHEST + 1):
            for worths, found in zip(sooner, _between(later, low, high), strict=True):
                worths[low][high] = found
    return sooner


def _between(later: Runs, low: int, high: int) -> tuple[list[float], list[float], list[float]]:
    """Runs of any length between two numbers. Cells beyond the numbers there are help nothing, and stay empty."""
    filled, full, last = (worths[low][high].copy() for worths in later)
    useful = min(CELLS, high - low - 1)
    for number in range(low + 1, high):
        _take(later, low, number, high, filled, full, last)
    filled[useful + 1 :] = [filled[useful]] * (CELLS - useful)
    return filled, full, last


def _take(
    later: Runs, low: int, number: int, high: int, filled: list[float], full: list[float], last: list[float]
) -> None:
    """Adds what this number, if it comes, does for each run: written where the most cells will be filled, or not."""
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
    """The runs of a row: where each starts, how long it is, the number before and the number behind.

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
