"""What every game offers to the rest of the service: the protocol, its phases, and the checks common to all games."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from games.rules.actions import Action

ROLL = "roll"  # every turn of every game opens with this phase
TURN_OVER = ""  # the phase between a turn's last answer and the next turn


class Phase(NamedTuple):
    """One step of a turn: who answers, with what, on which clock, and what silence means."""

    actions: tuple[type[Action], ...]
    everyone: bool  # all seats at once, sealed; otherwise the active seat alone
    clock: str
    silence: Action


class DiceSource(Protocol):
    """Where dice come from: the same roll of the same game always falls the same."""

    def roll(self, number: int, dice: Sequence[str], /) -> tuple[int, ...]: ...


class Position(Protocol):
    """What all games' states have in common."""

    @property
    def turn(self) -> int: ...
    @property
    def active(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def roll(self) -> int: ...


State = TypeVar("State", bound=Position)


class Ruleset(Protocol[State]):
    """One game. Every method is a plain function of its arguments."""

    key: str
    seats: range
    phases: Mapping[str, Phase]
    facts: Mapping[str, type[Any]]  # stable name → class, of the facts that only this game knows

    @property
    def state(self) -> type[State]: ...
    @property
    def sheets(self) -> tuple[str, ...]: ...

    def description(self) -> dict[str, Any]:
        """All that a client needs to draw the game: dice, sheets with their rows and cells, what is scored."""

    def opening(self, sheet: str, seats: int) -> State:
        """The state before the first turn."""

    def options(self, state: State, seat: int) -> tuple[Action, ...]:
        """Every answer this seat may give now: exactly those that `refusal` does not refuse."""

    def refusal(self, state: State, seat: int, action: Action) -> str | None:
        """The code of the rule that this answer would break."""

    def decide(self, state: State, answers: Mapping[int, Action], dice_source: DiceSource) -> tuple[Any, ...]:
        """What follows when the phase closes with these answers; a seat that left gives none.

        The first fact is the one that ends the phase or opens the next, and has a field `deadline`.
        """

    def evolve(self, state: State, fact: Any) -> State:
        """The state after a fact. Decides nothing and cannot fail on a decided fact."""

    def ending(self, state: State) -> str | None:
        """Why the game is over, or None."""

    def points(self, state: State, seat: int) -> dict[str, int]:
        """The seat's score, part by part, and its `total`."""

    def pad(self, state: State, seat: int) -> dict[str, Any]:
        """The seat's sheet as players see it."""

    def closed_rows(self, state: State) -> list[str]:
        """The rows that are closed to everybody."""

    def dice_view(self, state: State) -> dict[str, Any]:
        """What lies on the table: `dice`, null before the roll, and whatever the game reads off them."""


AnyRuleset = Ruleset[Any]


def untimely(phases: Mapping[str, Phase], state: Position, seat: int, action: Action) -> str | None:
    """The code of what is wrong with the moment of an answer, whatever it says."""
    phase = phases.get(state.phase)
    if phase is None or type(action) not in phase.actions:
        return "wrong_phase"
    if not phase.everyone and seat != state.active:
        return "not_your_turn"
    return None


def replaced(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    """
    >>> replaced((1, 2, 3), 1, 9)
    (1, 9, 3)
    """
    return (*items[:index], item, *items[index + 1 :])
