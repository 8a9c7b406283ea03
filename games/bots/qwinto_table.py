"""A Qwinto bot that compares cells, sets of dice and the reroll by expected points."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

from games.bots.bot import RandomSource
from games.bots.qwinto_ideal import ideal, sums
from games.bots.qwinto_runs import HIGHEST, TURNS, runs, split
from games.rules.actions import Action, Keep, Reroll, Roll, Write
from games.rules.qwinto import (
    COLOURS,
    FAILS_TO_END,
    QWINTO,
    SHEETS,
    QwintoSheet,
    QwintoState,
    Row,
    WrittenSheet,
    rolled_sum,
)
from games.rules.ruleset import replaced

FAIL = 7.0  # the cost of a failed throw, its share in ending the game included
LENGTH = 28  # turns of a whole game
LAST_TURNS = 5  # sheets are never valued with fewer turns left
CELLS_IN_A_GAME = 22  # about how many cells of a sheet are filled when the game ends
WON = 1000.0
NEVER = -1e9
NEAR = 5.0  # when dice are chosen, numbers further from their even place are not tried


class Prospect(NamedTuple):
    """Expected values of a row: its points, and for each cell the probability to be filled and its number."""

    points: float
    chances: tuple[float, ...]
    numbers: tuple[float, ...]


def choose(position: QwintoState, seat: int, options: Sequence[Action], _rng: RandomSource) -> Action:
    evaluation = QwintoEvaluation(position, seat)
    match options[0]:
        case Roll():
            throws = [action for action in options if isinstance(action, Roll)]
            best = evaluation.best_writes(COLOURS)
            return max(throws, key=lambda throw: evaluation.thrown(best, throw.dice, again=True))
        case Keep():
            dice = tuple(position.dice or ())
            best = evaluation.best_writes(dice)
            lies = evaluation.lying(best, dice, rolled_sum(position))
            return Keep() if lies >= evaluation.thrown(best, dice, again=False) else Reroll()
    return max(options, key=evaluation.answered)


class QwintoEvaluation:
    """The value of each answer of one seat in one position."""

    def __init__(self, position: QwintoState, seat: int) -> None:
        self.position, self.seat = position, seat
        self.sheet, self.own = SHEETS[position.sheet], position.seat_sheets[seat]
        self.turns = turns_left(position)
        prospects = [prospect(row, self.turns) for row in self.own.rows]
        self.shares = [_shares(self.sheet, prospects, row) for row in range(len(prospects))]
        self.others = [sum(other.points for other in prospects) - own.points for own in prospects]
        self.full_rows = sum(all(row) for row in self.own.rows)
        self.passed = self._passed(worth(self.sheet, prospects))

    def answered(self, action: Action) -> float:
        if not isinstance(action, Write):
            return self.passed
        cell = self.sheet.cells[action.row][action.column]
        return self.written(cell.row, cell.place, rolled_sum(self.position))

    def best_writes(self, rows: Sequence[str]) -> dict[str, list[float]]:
        """For each row and number, the value of the best cell for it."""
        return {colour: self._best_writes(COLOURS.index(colour)) for colour in rows}

    def _best_writes(self, row: int) -> list[float]:
        best = [NEVER] * HIGHEST
        cells = list(self.sheet.cells[COLOURS[row]].values())
        for start, empties, low, high in split(self.own.rows[row]):
            apart = (high - low) / (empties + 1)
            for nth, cell in enumerate(cells[start : start + empties], start=1):
                taken = {self.own.rows[other][place] for other, place in cell.column_mates}
                for number in _near(low + nth * apart, max(NEAR, apart), low, high):
                    if number not in taken:
                        best[number] = max(best[number], self.written(row, cell.place, number))
        return best

    def thrown(self, best: dict[str, list[float]], dice: Sequence[str], *, again: bool) -> float:
        """The expected value of rolling these dice; with a reroll if the first result is worse than the average."""
        lying = [(chance, self.lying(best, dice, number)) for number, chance in sums(len(dice))]
        once = sum(chance * worth for chance, worth in lying)
        return sum(chance * max(worth, once) for chance, worth in lying) if again else once

    def lying(self, best: dict[str, list[float]], dice: Sequence[str], number: int) -> float:
        return max(self.passed, *(best[colour][number] for colour in dice))

    def written(self, row: int, place: int, number: int) -> float:
        cells = self.own.rows[row]
        changed = (*cells[:place], number, *cells[place + 1 :])
        if self.full_rows and all(changed):
            return self._over(WrittenSheet(replaced(self.own.rows, row, changed), self.own.fails))
        points, chances, numbers = prospect(changed, self.turns)
        points += self.others[row]
        for column, share, is_bonus in self.shares[row]:
            points += share * chances[column] * (numbers[column] if is_bonus else 1)
        return points - FAIL * self.own.fails

    def _passed(self, worth: float) -> float:
        fails = self.own.fails + (self.seat == self.position.active)
        return self._over(WrittenSheet(self.own.rows, fails)) if fails >= FAILS_TO_END else worth - FAIL * fails

    def _over(self, written: WrittenSheet) -> float:
        """The value of a game that ends with this turn: the lead over the best other seat."""
        state = self.position._replace(seat_sheets=replaced(self.position.seat_sheets, self.seat, written))
        totals = [QWINTO.points(state, seat)["total"] for seat in range(len(state.seat_sheets))]
        ahead = totals.pop(self.seat) - max(totals)
        return ahead + WON * ((ahead > 0) - (ahead < 0))


def _near(middle: float, reach: float, low: int, high: int) -> range:
    """The numbers between two others that are worth trying in a cell.

    >>> list(_near(9.5, 2, 0, 11)), list(_near(9.5, 2, 0, 19))
    ([8, 9, 10], [8, 9, 10, 11])
    """
    return range(max(low + 1, ceil(middle - reach)), min(high, floor(middle + reach) + 1))


def _shares(sheet: QwintoSheet, prospects: Sequence[Prospect], row: int) -> list[tuple[int, float, bool]]:
    """For each bonus column: the row's place in it, the share of the other rows, whether this row has the pentagon."""
    shares = []
    for cell in sheet.bonus_cells:
        share, own = 1.0, cell.place
        for other, place in ((cell.row, cell.place), *cell.column_mates):
            if other == row:
                own = place
            else:
                share *= prospects[other].chances[place]
        if cell.row != row:
            share *= prospects[cell.row].numbers[cell.place]
        shares.append((own, share, cell.row == row))
    return shares


def turns_left(position: QwintoState) -> int:
    sheets = position.seat_sheets
    filled = sum(sum(map(bool, row)) for written in sheets for row in written.rows) / len(sheets)
    return min(TURNS, max(LAST_TURNS, round(LENGTH * (1 - filled / CELLS_IN_A_GAME))))


def worth(sheet: QwintoSheet, prospects: Sequence[Prospect]) -> float:
    """The expected points of a sheet, failed throws apart."""
    total = sum(prospect.points for prospect in prospects)
    for cell in sheet.bonus_cells:
        bonus = prospects[cell.row]
        chance = bonus.chances[cell.place] * bonus.numbers[cell.place]
        for row, place in cell.column_mates:
            chance *= prospects[row].chances[place]
        total += chance
    return total


@lru_cache(maxsize=16_384)
def prospect(row: Row, turns: int) -> Prospect:
    """
    >>> prospect((1, 3, 5, 7, 9, 11, 13, 15, 17), 10).points
    17.0
    """
    filled, full, last = runs()[turns]
    chances = [1.0 if number else 0.0 for number in row]
    points, all_full, last_number = sum(chances), 1.0, float(row[-1])
    for start, empties, low, high in split(row):
        fills, whole = filled[low][high][empties], full[low][high][empties]
        points += fills
        chances[start : start + empties] = [fills / empties] * empties
        if high == HIGHEST:
            last_number = last[low][high][empties] / (whole or 1)
        all_full *= whole
    numbers = tuple(float(number) or ideal(row, place) for place, number in enumerate(row))
    return Prospect(points + all_full * (last_number - len(row)), tuple(chances), numbers)
