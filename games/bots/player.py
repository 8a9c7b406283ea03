"""What a bot is: a position, a seat and its options in, one of the options out; its luck is handed in, too."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from games.rules.actions import Action


class Luck(Protocol):
    """Where a bot's whims come from. The same position and the same luck give the same choice."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""


# A ruleset's state, a seat, what that seat may do and luck in; one of what it may do out. A state holds what lies on
# the table and nothing else: sealed answers and seeds are kept elsewhere and cannot be reached from it.
Player = Callable[[Any, int, Sequence[Action], Luck], Action]


def anything(_position: Any, _seat: int, options: Sequence[Action], luck: Luck) -> Action:
    """Any option, each as likely as the next."""
    return options[int(luck.random() * len(options))]


def sometimes(share: float, other: Player, usual: Player) -> Player:
    """A player who is the other one in this share of its decisions."""

    def player(position: Any, seat: int, options: Sequence[Action], luck: Luck) -> Action:
        chosen = other if luck.random() < share else usual
        return chosen(position, seat, options, luck)

    return player
