"""What happens in a turn of any game; facts say what was decided and decide nothing themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Dice = Mapping[str, Any]  # as players see them: {"white": [4, 1], "red": 3, …} or {"yellow": 4, "purple": 5}


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """Opens phase `roll`."""

    seat: int
    turn: int
    deadline: str | None = None

    def due(self, deadline: str) -> "TurnStarted":
        """The same, with its deadline; like those below, and several times as fast as `dataclasses.replace`."""
        return TurnStarted(self.seat, self.turn, deadline)


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """Opens the next phase. `dice` as players see them; a reroll is a roll of its own."""

    seat: int
    roll: int
    dice: Dice
    deadline: str | None = None

    def due(self, deadline: str) -> "DiceRolled":
        return DiceRolled(self.seat, self.roll, self.dice, deadline)


@dataclass(frozen=True, slots=True)
class DiceKept:
    """Opens phase `write`."""

    seat: int
    deadline: str | None = None

    def due(self, deadline: str) -> "DiceKept":
        return DiceKept(self.seat, deadline)


@dataclass(frozen=True, slots=True)
class PhaseClosed:
    """Everybody has answered, or time is out. `answers` reveals what was sealed, replaced answers included."""

    phase: str
    answers: tuple[Mapping[str, Any], ...] | None = None
    deadline: str | None = None

    def due(self, deadline: str) -> "PhaseClosed":
        return PhaseClosed(self.phase, self.answers, deadline)
