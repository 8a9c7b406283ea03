"""Plays a whole game by the rules alone, without clocks or players who leave."""

from collections.abc import Callable, Sequence
from typing import Any

from games.rules.actions import Action
from games.rules.facts import TurnStarted
from games.rules.ruleset import TURN_OVER, AnyRuleset, DiceRoller

Choose = Callable[[Any, int, Sequence[Action]], Action]  # (state, seat, options) → one of the options


def playout(ruleset: AnyRuleset, sheet: str, seats: int, first: int, choose: Choose, dice_source: DiceRoller) -> Any:
    """The state in which the game ended."""
    state = ruleset.opening(sheet, seats)
    state = ruleset.evolve(state, TurnStarted(first, 1))
    while ruleset.ending(state) is None:
        state = step(ruleset, state, seats, choose, dice_source)
    return state


def step(ruleset: AnyRuleset, state: Any, seats: int, choose: Choose, dice_source: DiceRoller) -> Any:
    """The state after all seats have answered the open phase, or after the next turn has started."""
    if state.phase == TURN_OVER:
        return ruleset.evolve(state, TurnStarted((state.active + 1) % seats, state.turn + 1))
    asked = range(seats) if ruleset.phases[state.phase].everyone else (state.active,)
    answers = {seat: choose(state, seat, ruleset.options(state, seat)) for seat in asked}
    for fact in ruleset.decide(state, answers, dice_source):
        state = ruleset.evolve(state, fact)
    return state
