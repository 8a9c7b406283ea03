"""The type of a bot, and bots that any game can use."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from games.rules.actions import Action


class RandomSource(Protocol):
    """Random numbers for a bot, as in `random.Random`. The same position and numbers give the same choice."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""


# (state, seat, options, random numbers) → one of the options. A ruleset's state holds only what all players see:
# sealed answers and seeds are stored elsewhere and cannot be reached from it.
Bot = Callable[[Any, int, Sequence[Action], RandomSource], Action]


def choose_randomly(_position: Any, _seat: int, options: Sequence[Action], rng: RandomSource) -> Action:
    """Any option, all with equal probability."""
    return options[int(rng.random() * len(options))]


def mixed(share: float, other: Bot, usual: Bot) -> Bot:
    """A bot that decides like `other` in this share of its decisions, else like `usual`."""

    def bot(position: Any, seat: int, options: Sequence[Action], rng: RandomSource) -> Action:
        chosen = other if rng.random() < share else usual
        return chosen(position, seat, options, rng)

    return bot
