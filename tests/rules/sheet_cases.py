"""What laws run over: every ruleset with every sheet, all well-formed actions, and random games."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from games.rules.actions import Action, Keep, Mark, Pass, Reroll, Roll, Write
from games.rules.facts import TurnStarted
from games.rules.qwinto import rolled_sum
from games.rules.registry import RULESETS
from games.rules.ruleset import TURN_OVER, AnyRuleset, in_order

# The codes with which a readable action may be refused (contract, section 12).
TURN_CODES = {
    "wrong_phase",
    "not_your_turn",
    "stale_roll",
    "too_late",
    "game_over",
    "not_seated",
    "too_many_requests",
}
RULE_CODES = {
    *("row_closed", "left_to_right", "lock_needs_marks", "number_not_rolled", "no_such_row", "no_such_number"),
    *("row_not_rolled", "cell_filled", "no_such_cell", "ascending", "column_repeats", "choose_dice"),
    "bonus_needs_mark",
}
COLOURS = ("orange", "yellow", "purple")
ROWS = ("red", "yellow", "green", "blue", "orange", "purple", "red_yellow", "green_blue", "pink", "")
DICE = [
    *(dice for count in range(4) for dice in permutations(COLOURS, count)),
    *(("red",), ("white1", "white2"), ("yellow", "yellow"), (*COLOURS, "orange"), ("",)),
]
EVERY_ACTION: tuple[Action, ...] = (
    *(Roll(dice) for dice in DICE),
    *(Mark(row, number) for row in ROWS for number in range(-1, 20)),
    *(Write(row, column) for row in ROWS for column in range(-1, 14)),
    *(Pass(), Keep(), Reroll()),
)


class SheetCase(NamedTuple):
    """A game to be played, and the lowest and highest total that its rules allow."""

    ruleset: AnyRuleset
    sheet: str
    lowest: int
    highest: int

    def __str__(self) -> str:
        return f"{self.ruleset.key}-{self.sheet}"


# The lowest and the highest total of each sheet. A sheet or game that is new in the registry needs its range here.
#
# Lowest: four penalties and no mark. Highest, for Qwixx: a row has eleven cells and a lock, so 12 crosses (78 points)
# with its last cell and 10 (55) without. A seat marks one cell in an action, and the game ends with the second closed
# row, so a seat crosses two locks at most, unless a clause forces marks.
RANGES = {
    ("qwixx", "classic"): (-20, 2 * 78 + 2 * 55),
    ("qwixx", "mixx_a"): (-20, 2 * 78 + 2 * 55),
    ("qwixx", "mixx_b"): (-20, 2 * 78 + 2 * 55),
    # Ten marks and the eleven of the bonus row are more than the 15 crosses that count in a row, even without a lock.
    ("qwixx", "big_points"): (-20, 4 * 120),
    # Forced marks may cross a third and a fourth lock in the last action; no row has more than 12 crosses.
    ("qwixx", "bonus_a"): (-20, 4 * 78),
    # As before; the row with fewest crosses counts twice, 13 points, and penalties that are given back at most.
    ("qwixx", "bonus_b"): (-20, 4 * 78 + 78 + 13),
    # Ten cells crossed twice are more than the 16 crosses that count in a row.
    ("qwixx", "double_a"): (-20, 4 * 136),
    # Four doubled cells: 10 + 4 crosses (105) without the last cell, 11 + 4 and the lock (136) with it.
    ("qwixx", "double_b"): (-20, 2 * 136 + 2 * 105),
    ("qwixx", "x_change"): (-20, 2 * 78 + 2 * 55),
    # All eleven steps are marked: 66 once more.
    ("qwixx", "connected_a_steps"): (-20, 2 * 78 + 2 * 55 + 66),
    # A link never ends in a last cell, so it adds no lock, and a cell is crossed once at most.
    ("qwixx", "connected_b_chain"): (-20, 2 * 78 + 2 * 55),
    ("qwinto", "classic"): (-20, 2 * 18 + 8 + 11 + 14 + 16 + 12 + 18),
}
SHEET_CASES = [SheetCase(RULESETS[key], sheet, *ends) for (key, sheet), ends in RANGES.items()]
CLASSIC_CASES = [sheet_case for sheet_case in SHEET_CASES if sheet_case.sheet == "classic"]


class RandomDice:
    """Dice of a seeded generator: the laws hold however they fall."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def roll(self, _number: int, dice: Sequence[str]) -> tuple[int, ...]:
        return tuple(self.random.randint(1, 6) for _ in dice)


def _waste(rows: Mapping[str, Any], state: Any, action: Action, *, is_active: bool) -> float:
    """How much of a sheet an action gives away, roughly."""
    match action:
        case Mark(row=row, number=number):
            last = rows[row][-1] if rows[row] else 7 + (-5 if row in ("red", "yellow") else 5)
            return abs(number - int(last))
        case Write(column=column):
            return abs(float(rolled_sum(state)) - 1.6 * column - 1) / 2
        case _:
            return 7 if is_active else 2


class Chooser:
    """Plays at random, but often thriftily, so that rows are filled and locked."""

    def __init__(self, ruleset: AnyRuleset, random: Random) -> None:
        self.ruleset, self.random = ruleset, random
        self.thrift = random.choice((0.0, 0.7, 1.0))

    def __call__(self, state: Any, seat: int, options: Sequence[Action]) -> Action:
        if self.random.random() >= self.thrift or Pass() not in options:
            return self.random.choice(options)
        rows = self.ruleset.sheet_view(state, seat)["rows"]
        wastes = [_waste(rows, state, option, is_active=seat == state.active) for option in options]
        return options[wastes.index(min(wastes))]


class Step(NamedTuple):
    """A phase that has been answered: the state before, the answers, what followed, and the state after."""

    before: Any
    answers: dict[int, Action]
    facts: tuple[Any, ...]
    after: Any


def game(sheet_case: SheetCase, seats: int, seed: int) -> Iterator[Step]:
    """The steps of a whole game."""
    random = Random(seed)
    ruleset, rng, choose = sheet_case.ruleset, RandomDice(random), Chooser(sheet_case.ruleset, random)
    names = ruleset.printings(sheet_case.sheet)
    printings = in_order(names, seats, random.randrange(len(names))) if names else ()
    opening = ruleset.opening(sheet_case.sheet, seats, printings)
    state = ruleset.evolve(opening, TurnStarted(random.randrange(seats), 1))
    while ruleset.ending(state) is None:
        asked = range(seats) if ruleset.phases[state.phase].everyone else (state.active,)
        answers = {seat: choose(state, seat, ruleset.options(state, seat)) for seat in asked}
        before, facts = state, ruleset.decide(state, answers, rng)
        for fact in facts:
            state = ruleset.evolve(state, fact)
        yield Step(before, answers, facts, state)
        if state.phase == TURN_OVER and ruleset.ending(state) is None:
            state = ruleset.evolve(state, TurnStarted((state.active + 1) % seats, state.turn + 1))
