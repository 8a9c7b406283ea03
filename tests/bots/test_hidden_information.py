"""What a bot may not see, it cannot know: sealed answers, nonces and seeds do not reach it."""

from random import Random
from typing import Any

import pytest

from games.bots import choose
from games.game.lobby import BOT_LEVELS
from games.rules import qwinto, qwixx
from games.rules.actions import Action, Keep, Mark, Pass, Roll, Write
from tests.builders import Table, loaded, started

DICE = {"white1": 3, "white2": 4, "red": 5, "orange": 3, "yellow": 4, "purple": 2}
ANSWERS: dict[str, tuple[Action, ...]] = {
    "qwixx": (Mark("red", 7), Mark("blue", 7), Pass()),
    "qwinto": (Write("orange", 6), Write("purple", 3), Pass()),
}
OPENINGS: dict[str, tuple[Action, ...]] = {
    "qwixx": (Roll(),),
    "qwinto": (Roll(("orange", "yellow", "purple")), Keep()),
}


def _asked(ruleset: str, secret: bytes, answer: Action | None) -> Table:
    """Seat 0 has rolled; it has answered, perhaps; seat 1 has still to."""
    table = started(ruleset, seats=2, secret=secret, dice_source=loaded(**DICE))
    for action in OPENINGS[ruleset]:
        table.act(0, action)
    if answer is not None:
        table.act(0, answer)
    return table


@pytest.mark.parametrize("level", BOT_LEVELS)
@pytest.mark.parametrize("ruleset", ANSWERS)
def test_a_bot_chooses_the_same_whatever_is_hidden_from_it(ruleset: str, level: str) -> None:
    tables = [
        _asked(ruleset, secret, answer) for secret in (b"a" * 32, b"b" * 32) for answer in (None, *ANSWERS[ruleset])
    ]
    assert len({table.game.head for table in tables}) == len(tables)
    choices = {choose(level, ruleset, table.game.position, 1, Random(1)) for table in tables}
    assert len(choices) == 1


@pytest.mark.parametrize("state", [qwixx.QwixxState, qwinto.QwintoState])
def test_a_position_holds_only_what_all_players_see(state: Any) -> None:
    """A field that is new here is seen by every bot: it must be something that every player sees, too."""
    on_the_table = {"sheet", "seat_sheets", "closed", "turn", "active", "phase", "roll", "dice", "has_marked"}
    assert set(state._fields) <= on_the_table
