"""Bots do not get sealed answers, nonces or seeds."""

from random import Random
from typing import Any

import pytest

from games.bots import choose
from games.game.decisions.game_settings import BOT_LEVELS
from games.rules import qwinto, qwixx
from games.rules.actions import Action, Keep, Mark, Pass, Roll, Write
from tests.builders import GameDriver, loaded, started

DICE = {"white1": 3, "white2": 4, "red": 5, "orange": 3, "yellow": 4, "purple": 2}
ANSWERS: dict[str, tuple[Action, ...]] = {
    "qwixx": (Mark("red", 7), Mark("blue", 7), Pass()),
    "qwinto": (Write("orange", 6), Write("purple", 3), Pass()),
}
OPENINGS: dict[str, tuple[Action, ...]] = {
    "qwixx": (Roll(),),
    "qwinto": (Roll(("orange", "yellow", "purple")), Keep()),
}


def _asked(ruleset: str, secret: bytes, answer: Action | None) -> GameDriver:
    """Seat 0 has rolled; it has answered, perhaps; seat 1 has still to."""
    driver = started(ruleset, seats=2, secret=secret, dice_source=loaded(**DICE))
    for action in OPENINGS[ruleset]:
        driver.act(0, action)
    if answer is not None:
        driver.act(0, answer)
    return driver


@pytest.mark.parametrize("level", BOT_LEVELS)
@pytest.mark.parametrize("ruleset", ANSWERS)
def test_a_bot_chooses_the_same_whatever_is_hidden_from_it(ruleset: str, level: str) -> None:
    drivers = [
        _asked(ruleset, secret, answer) for secret in (b"a" * 32, b"b" * 32) for answer in (None, *ANSWERS[ruleset])
    ]
    assert len({driver.game.head for driver in drivers}) == len(drivers)
    choices = {choose(level, ruleset, driver.game.position, 1, Random(1)) for driver in drivers}
    assert len(choices) == 1


@pytest.mark.parametrize("state", [qwixx.QwixxState, qwinto.QwintoState])
def test_a_position_holds_only_what_all_players_see(state: Any) -> None:
    """A field that is new here is seen by every bot: it must be something that every player sees, too."""
    on_the_table = {"sheet", "seat_sheets", "closed", "turn", "active", "phase", "roll", "dice", "has_marked"}
    assert set(state._fields) <= on_the_table | {"printings"}
