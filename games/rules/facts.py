"""The facts that any game's turn consists of, and the flags that other packages ask."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

Dice = Mapping[str, list[int]]  # colour → the faces of its dice: {"white": [4, 1], "red": [3], …}


class Fact:
    """The base of every fact. A fact class sets the flags that hold for it."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]  # the names of the fields, in order

    opens_phase: ClassVar[bool] = False  # a new phase waits for answers
    changes_seats: ClassVar[bool] = False  # who sits where, or whether a seat is playing, away or resigned
    changes_lobby: ClassVar[bool] = False  # the game's entry in the lobby looks different
    needed_for_results: ClassVar[bool] = False  # folded to know who played, who stayed and how the game ended
    changes_results: ClassVar[bool] = False  # ratings and statistics have to be updated
    optional_fields: ClassVar[tuple[str, ...]] = ()  # not stored while they are empty
    secret_fields: ClassVar[tuple[str, ...]] = ()  # only the author may see them before the phase closes


@dataclass(frozen=True, slots=True)
class TurnStarted(Fact):
    """Opens phase `roll`."""

    opens_phase = True

    seat: int
    turn: int
    deadline: str | None = None

    def due(self, deadline: str) -> "TurnStarted":
        """The same fact with its deadline, built here because `dataclasses.replace` is several times slower."""
        return TurnStarted(self.seat, self.turn, deadline)


@dataclass(frozen=True, slots=True)
class DiceRolled(Fact):
    """Opens the next phase. `dice` as players see them; a reroll is a new roll."""

    opens_phase = True

    seat: int
    roll: int
    dice: Dice
    deadline: str | None = None

    def due(self, deadline: str) -> "DiceRolled":
        return DiceRolled(self.seat, self.roll, self.dice, deadline)


@dataclass(frozen=True, slots=True)
class DiceKept(Fact):
    """Opens phase `write`."""

    opens_phase = True

    seat: int
    deadline: str | None = None

    def due(self, deadline: str) -> "DiceKept":
        return DiceKept(self.seat, deadline)


@dataclass(frozen=True, slots=True)
class PhaseClosed(Fact):
    """All seats have answered, or time is out. `answers` reveals what was sealed, replaced answers included."""

    opens_phase = True

    phase: str
    answers: tuple[Mapping[str, Any], ...] | None = None
    deadline: str | None = None

    def due(self, deadline: str) -> "PhaseClosed":
        return PhaseClosed(self.phase, self.answers, deadline)
