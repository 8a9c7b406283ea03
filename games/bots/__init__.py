"""Bots of every level for every game: functions from what a seat may see to one of its options."""

from collections.abc import Mapping
from typing import Any

from games.bots import qwinto_ideal, qwinto_table, qwixx_rows, qwixx_table, qwixx_thrift
from games.bots.bot import Bot, RandomSource, choose_randomly, mixed
from games.bots.qwixx_table import where_learned
from games.rules.actions import Action
from games.rules.registry import RULESETS

RANDOM = "random"  # for tournaments only, not for seats of games
BOTS: Mapping[str, Mapping[str, Bot]] = {
    "qwixx": {
        RANDOM: choose_randomly,
        "easy": mixed(0.2, choose_randomly, qwixx_thrift.choose),
        "medium": qwixx_thrift.choose,
        "hard": where_learned(qwixx_rows.choose, mixed(0.25, qwixx_thrift.choose, qwixx_rows.choose)),
        "expert": where_learned(qwixx_table.choose, qwixx_rows.choose),
    },
    "qwinto": {
        RANDOM: choose_randomly,
        "easy": mixed(0.2, choose_randomly, qwinto_ideal.choose),
        "medium": qwinto_ideal.choose,
        "hard": mixed(0.25, qwinto_ideal.choose, qwinto_table.choose),
        "expert": qwinto_table.choose,
    },
}


def choose(level: str, ruleset: str, position: Any, seat: int, rng: RandomSource) -> Action:
    """The answer of a bot of this level. The position is the ruleset's state, in a phase in which this seat answers."""
    options = RULESETS[ruleset].options(position, seat)
    if not options:
        raise ValueError(f"seat {seat} has nothing to answer")
    return options[0] if len(options) == 1 else BOTS[ruleset][level](position, seat, options, rng)
