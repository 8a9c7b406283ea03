"""Laws of every bot in every game on every sheet, whoever plays and however the dice fall."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import BOTS, RANDOM, choose, qwixx_thrift
from games.game.lobby import BOT_LEVELS
from games.rules.actions import Action, Pass
from games.rules.playout import Choose, playout
from games.rules.registry import RULESETS
from tests.rules.printed import registered
from tests.rules.worlds import WORLDS, RandomDice, World, game

printed_sheets = pytest.fixture(registered, scope="module", name="printed_sheets")
pytestmark = pytest.mark.usefixtures("printed_sheets")
every_world = pytest.mark.parametrize("world", WORLDS, ids=str)
every_level = pytest.mark.parametrize("level", BOT_LEVELS)
seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_game_has_a_bot_of_every_level(ruleset: str) -> None:
    assert set(BOTS[ruleset]) == {RANDOM, *BOT_LEVELS}


@every_level
@every_world
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_a_bot_chooses_one_of_its_options_and_repeats_the_choice(world: World, level: str, data: st.DataObject) -> None:
    """Same position and same luck, same choice; wherever others, bots or not, have led the game."""
    seats = data.draw(st.sampled_from(world.ruleset.seats), label="seats")
    seed = data.draw(seeds, label="seed")
    for step in game(world, seats, seed):
        for seat in step.answers:
            chosen = choose(level, world.ruleset.key, step.before, seat, Random(seed))
            assert chosen in world.ruleset.options(step.before, seat)
            assert chosen == choose(level, world.ruleset.key, step.before, seat, Random(seed))


@every_world
def test_whole_games_between_all_levels_end(world: World) -> None:
    for seats in world.ruleset.seats:
        luck = Random(seats)
        state = playout(world.ruleset, world.sheet, seats, 0, _mixed(world, seats, luck), RandomDice(luck))
        assert world.ruleset.ending(state) is not None


def _mixed(world: World, seats: int, luck: Random) -> Choose:
    """Every seat another level, as far as there are as many."""

    def choice(state: Any, seat: int, _options: Sequence[Action]) -> Action:
        return choose(BOT_LEVELS[(seat + seats) % len(BOT_LEVELS)], world.ruleset.key, state, seat, luck)

    return choice


def test_choosing_for_a_seat_without_options_is_an_error() -> None:
    ruleset = RULESETS["qwixx"]
    with pytest.raises(ValueError, match="seat 1 has nothing to answer"):
        choose("easy", "qwixx", ruleset.opening("classic", 2), 1, Random(1))


def test_a_thrifty_bot_without_a_mark_takes_the_first_option() -> None:
    position = RULESETS["qwixx"].opening("classic", 2)
    assert qwixx_thrift.choose(position, 0, (Pass(),), Random(1)) == Pass()
