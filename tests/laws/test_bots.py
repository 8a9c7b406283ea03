"""Laws of every bot on every sheet."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import BOTS, RANDOM, choose, qwixx_thrift
from games.game.decisions.game_settings import BOT_LEVELS
from games.rules.actions import Action, Pass
from games.rules.playout import Choose, playout
from games.rules.registry import RULESETS
from tests.rules.sheet_cases import SHEET_CASES, RandomDice, SheetCase, game

every_sheet = pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
every_level = pytest.mark.parametrize("level", BOT_LEVELS)
seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_game_has_a_bot_of_every_level(ruleset: str) -> None:
    assert set(BOTS[ruleset]) == {RANDOM, *BOT_LEVELS}


@every_level
@every_sheet
@settings(max_examples=3)
@given(data=st.data())
def test_a_bot_chooses_one_of_its_options_and_repeats_the_choice(
    sheet_case: SheetCase, level: str, data: st.DataObject
) -> None:
    """The same position and random numbers give the same choice."""
    seats = data.draw(st.sampled_from(sheet_case.ruleset.seats), label="seats")
    seed = data.draw(seeds, label="seed")
    for step in game(sheet_case, seats, seed):
        for seat in step.answers:
            chosen = choose(level, sheet_case.ruleset.key, step.before, seat, Random(seed))
            assert chosen in sheet_case.ruleset.options(step.before, seat)
            assert chosen == choose(level, sheet_case.ruleset.key, step.before, seat, Random(seed))


@every_sheet
def test_whole_games_between_all_levels_end(sheet_case: SheetCase) -> None:
    for seats in sheet_case.ruleset.seats:
        rng = Random(seats)
        state = playout(sheet_case.ruleset, sheet_case.sheet, seats, 0, _mixed(sheet_case, seats, rng), RandomDice(rng))
        assert sheet_case.ruleset.ending(state) is not None


def _mixed(sheet_case: SheetCase, seats: int, rng: Random) -> Choose:
    """Seats with different levels."""

    def choice(state: Any, seat: int, _options: Sequence[Action]) -> Action:
        return choose(BOT_LEVELS[(seat + seats) % len(BOT_LEVELS)], sheet_case.ruleset.key, state, seat, rng)

    return choice


def test_choosing_for_a_seat_without_options_is_an_error() -> None:
    ruleset = RULESETS["qwixx"]
    with pytest.raises(ValueError, match="seat 1 has nothing to answer"):
        choose("easy", "qwixx", ruleset.opening("classic", 2), 1, Random(1))


def test_a_thrifty_bot_without_a_mark_takes_the_first_option() -> None:
    position = RULESETS["qwixx"].opening("classic", 2)
    assert qwixx_thrift.choose(position, 0, (Pass(),), Random(1)) == Pass()
