"""Builds positions for tests of rules, and dice with chosen faces."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.rules.actions import Action, Mark, Pass
from games.rules.facts import DiceKept, DiceRolled, TurnStarted
from games.rules.layouts.qwixx_layouts import SHEETS
from games.rules.qwinto import QWINTO, NumberWritten, QwintoState, ThrowFailed
from games.rules.qwixx import QWIXX, WHITE, CellMarked, PenaltyTaken, QwixxState, RowClosed
from games.rules.qwixx_sheets import COLOURS
from games.rules.ruleset import AnyRuleset

PASS = Pass()
Sheets = Mapping[int, Mapping[str, Iterable[int]]]  # seat → row → numbers crossed
Numbers = Mapping[int, Mapping[str, Mapping[int, int]]]  # seat → row → column → number written


class ChosenDice:
    """Dice with chosen faces; all others show a one."""

    def __init__(self, **faces: int) -> None:
        self.faces = faces

    def roll(self, _number: int, dice: Sequence[str]) -> tuple[int, ...]:
        return tuple(self.faces.get(name, 1) for name in dice)


def thrown(ruleset: AnyRuleset, state: Any, action: Action, **faces: int) -> DiceRolled:
    """What the active seat's throw shows when its dice are loaded."""
    (fact,) = ruleset.decide(state, {state.active: action}, ChosenDice(**faces))
    assert isinstance(fact, DiceRolled)
    return fact


def facts_of(ruleset: AnyRuleset, state: Any, answers: Mapping[int, Action]) -> tuple[Any, ...]:
    """The facts when the open phase closes with these answers; seats without an answer pass."""
    for seat, action in answers.items():
        assert ruleset.refusal(state, seat, action) is None, (seat, action)
    asked = range(len(state.seat_sheets)) if ruleset.phases[state.phase].everyone else (state.active,)
    return ruleset.decide(state, {seat: answers.get(seat, PASS) for seat in asked}, ChosenDice())


def after(ruleset: AnyRuleset, state: Any, answers: Mapping[int, Action]) -> Any:
    """The state after that."""
    for fact in facts_of(ruleset, state, answers):
        state = ruleset.evolve(state, fact)
    return state


def cells_marked(state: QwixxState, row: str, number: int) -> list[tuple[str, int]]:
    """The cells that seat 0 crosses when it marks this one."""
    facts = facts_of(QWIXX, state, {0: Mark(row, number)})
    return [(fact.row, fact.number) for fact in facts if isinstance(fact, CellMarked)]


def totals(ruleset: AnyRuleset, state: Any) -> list[int]:
    return [ruleset.points(state, seat)["total"] for seat in range(len(state.seat_sheets))]


def crossed(
    seats: int,
    sheets: Sheets,
    *,
    sheet: str = "classic",
    closed: Iterable[str] = (),
    penalties: Mapping[int, int] | None = None,
) -> QwixxState:
    """Qwixx between two turns: what each seat has crossed, which rows are closed."""
    state = QWIXX.opening(sheet, seats)
    for seat, rows in sheets.items():
        for row, numbers in rows.items():
            for number in numbers:
                state = QWIXX.evolve(state, CellMarked(seat, row, number, WHITE))
    for row in closed:
        state = QWIXX.evolve(state, RowClosed(row, ()))
    for seat, count in (penalties or {}).items():
        for _ in range(count):
            state = QWIXX.evolve(state, PenaltyTaken(seat))
    return state


def white_phase(state: QwixxState, white: tuple[int, int], *, active: int = 0, **coloured: int) -> QwixxState:
    """Action 1 of the next turn: the dice lie there; a coloured die that is in the game and not named shows a one."""
    rows = SHEETS[state.sheet].rows
    gone = {row.lock for index, row in enumerate(rows) if state.closed >> index & 1}
    dice = {colour: [coloured.get(colour, 1)] for colour in COLOURS if colour not in gone}
    state = QWIXX.evolve(state, TurnStarted(active, state.turn + 1))
    return QWIXX.evolve(state, DiceRolled(active, state.roll + 1, {"white": list(white), **dice}))


def colour_phase(state: QwixxState, white: tuple[int, int], *, active: int = 0, **coloured: int) -> QwixxState:
    """Action 2 of the next turn, all having passed action 1."""
    return after(QWIXX, white_phase(state, white, active=active, **coloured), {})  # type: ignore[no-any-return]


def written(seats: int, sheets: Numbers, fails: Mapping[int, int] | None = None) -> QwintoState:
    """Qwinto between two turns: what each seat has written."""
    state = QWINTO.opening("classic", seats)
    for seat, rows in sheets.items():
        for row, cells in rows.items():
            for column, number in cells.items():
                state = QWINTO.evolve(state, NumberWritten(seat, row, column, number))
    for seat, count in (fails or {}).items():
        for _ in range(count):
            state = QWINTO.evolve(state, ThrowFailed(seat))
    return state


def keep_phase(state: QwintoState, *, active: int = 0, **dice: int) -> QwintoState:
    state = QWINTO.evolve(state, TurnStarted(active, state.turn + 1))
    return QWINTO.evolve(state, DiceRolled(active, state.roll + 1, {colour: [face] for colour, face in dice.items()}))


def write_phase(state: QwintoState, *, active: int = 0, **dice: int) -> QwintoState:
    return QWINTO.evolve(keep_phase(state, active=active, **dice), DiceKept(active))
