"""Bots of every level for every game: what a player in a seat may see goes in, one of its options comes out.

Nothing here has a clock, luck of its own or a way to a seed or a sealed answer.
"""

from collections.abc import Mapping
from typing import Any

from games.bots import qwinto_ideal, qwinto_table, qwixx_rows, qwixx_table, qwixx_thrift
from games.bots.player import Luck, Player, anything, sometimes
from games.rules.actions import Action
from games.rules.registry import RULESETS

RANDOM = "random"  # plays in tournaments only: no seat can be given to it
PLAYERS: Mapping[str, Mapping[str, Player]] = {
    "qwixx": {
        RANDOM: anything,
        "easy": sometimes(0.2, anything, qwixx_thrift.choose),
        "medium": qwixx_thrift.choose,
        "hard": qwixx_rows.choose,
        "expert": qwixx_table.choose,
    },
    "qwinto": {
        RANDOM: anything,
        "easy": sometimes(0.2, anything, qwinto_ideal.choose),
        "medium": qwinto_ideal.choose,
        "hard": sometimes(0.25, qwinto_ideal.choose, qwinto_table.choose),
        "expert": qwinto_table.choose,
    },
}


def choose(level: str, ruleset: str, position: Any, seat: int, luck: Luck) -> Action:
    """What a bot of this level answers. The position is the ruleset's own state, in a phase that asks this seat."""
    options = RULESETS[ruleset].options(position, seat)
    if not options:
        raise ValueError(f"seat {seat} is not asked for anything")
    return options[0] if len(options) == 1 else PLAYERS[ruleset][level](position, seat, options, luck)
