"""The protocol that every game implements, its phases, and the checks that all games share."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from games.rules.actions import Action

ROLL = "roll"  # every turn of every game opens with this phase
Answers = Mapping[int, Action]  # seat → its answer to the open phase
TURN_OVER = ""  # the phase between a turn's last answer and the next turn


class Phase(NamedTuple):
    """One step of a turn: who answers, with which actions, on which clock, and what a time-out counts as."""

    actions: tuple[type[Action], ...]
    everyone: bool  # all seats answer at once, sealed; otherwise only the active seat answers
    clock: str
    silence: Action


class DiceRoller(Protocol):
    """Rolls dice: the same roll of the same game always shows the same faces."""

    def roll(self, number: int, dice: Sequence[str], /) -> tuple[int, ...]: ...


class TurnState(Protocol):
    """What the states of all games have in common."""

    @property
    def turn(self) -> int: ...
    @property
    def active(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def roll(self) -> int: ...


State = TypeVar("State", bound=TurnState)


class Ruleset(Protocol[State]):
    """One game. Every method is a pure function of its arguments."""

    key: str
    seats: range
    phases: Mapping[str, Phase]
    facts: Mapping[str, type[Any]]  # stable name → class, of the facts that only this game has
    box: type[Any]  # the fact with which the active seat pays for a turn without a mark; its field is `seat`

    @property
    def state(self) -> type[State]: ...
    @property
    def sheets(self) -> tuple[str, ...]: ...

    def description(self) -> dict[str, Any]:
        """All that a client needs to draw the game: dice, sheets with their rows and cells, the scoring."""

    def printings(self, sheet: str) -> tuple[str, ...]:
        """The names of a sheet's printings, of which each seat has one; none where all seats have the same."""

    def opening(self, sheet: str, seats: int, printings: tuple[str, ...] = ()) -> State:
        """The state before the first turn, with the printing of each seat; without, they follow from the first on."""

    def options(self, state: State, seat: int) -> tuple[Action, ...]:
        """Every answer that this seat may give now: exactly those that `refusal` does not refuse."""

    def refusal(self, state: State, seat: int, action: Action) -> str | None:
        """The code of the rule that this answer breaks, or None."""

    def decide(self, state: State, answers: Answers, dice_source: DiceRoller) -> tuple[Any, ...]:
        """The facts that follow when the phase closes with these answers; a seat that left gives none.

        The first fact ends the phase or opens the next one, and has a field `deadline`.
        """

    def evolve(self, state: State, fact: Any) -> State:
        """The state after a fact. Computes no rule and cannot fail on a decided fact."""

    def ending(self, state: State) -> str | None:
        """Why the game is over, or None."""

    def boxes_left(self, state: State, seat: int) -> int:
        """How many boxes this seat has not yet used; the last one ends the game."""

    def points(self, state: State, seat: int) -> dict[str, int]:
        """The seat's score, part by part, and its `total`."""

    def sheet_view(self, state: State, seat: int) -> dict[str, Any]:
        """The seat's sheet as players see it."""

    def closed_rows(self, state: State) -> list[str]:
        """The rows that are closed to all seats."""

    def dice_view(self, state: State) -> dict[str, Any]:
        """The rolled `dice`, null before the roll, and what the game computes from them."""


AnyRuleset = Ruleset[Any]


def in_order(printings: tuple[str, ...], seats: int, first: int = 0) -> tuple[str, ...]:
    """The printing of each seat: seat 0 has the first one, and the following seats have the following ones.

    >>> in_order(("A", "B", "C"), 4, 1)
    ('B', 'C', 'A', 'B')
    """
    return tuple(printings[(first + seat) % len(printings)] for seat in range(seats)) if printings else ()


def turn_refusal(phases: Mapping[str, Phase], state: TurnState, seat: int, action: Action) -> str | None:
    """The code of a refusal because of phase or turn, whatever the answer says."""
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
