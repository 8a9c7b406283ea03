"""A game by the rules alone: order of turns, and which seats each phase asks."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.rules.actions import Action, Pass
from games.rules.playout import playout
from games.rules.refused import Refused
from games.rules.registry import RULESETS
from tests.rules.positions import ChosenDice
from tests.rules.sheet_cases import SHEET_CASES, SheetCase

Asked = tuple[int, int, str, int]  # turn, active seat, phase, seat


def _asked(sheet_case: SheetCase, seats: int, first: int) -> list[Asked]:
    """All seats that were asked in a game in which all pass."""
    asked: list[Asked] = []

    def choose(state: Any, seat: int, options: Sequence[Action]) -> Action:
        asked.append((state.turn, state.active, state.phase, seat))
        return Pass() if Pass() in options else options[0]

    playout(sheet_case.ruleset, sheet_case.sheet, seats, first, choose, ChosenDice())
    return asked


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
def test_turns_are_numbered_from_one_and_go_clockwise_from_the_first_seat(sheet_case: SheetCase) -> None:
    turns = dict.fromkeys((turn, active) for turn, active, _, _ in _asked(sheet_case, 4, 2))
    assert list(turns) == [(1 + turn, (2 + turn) % 4) for turn in range(len(turns))]
    assert len(turns) == 13  # the first seat's fourth


@pytest.mark.parametrize("sheet_case", SHEET_CASES, ids=str)
def test_a_phase_asks_all_seats_or_only_the_active_seat(sheet_case: SheetCase) -> None:
    asked = _asked(sheet_case, 3, 1)
    for turn, active, phase, _ in asked:
        seats = [seat for at, _, step, seat in asked if (at, step) == (turn, phase)]
        assert seats == ([0, 1, 2] if sheet_case.ruleset.phases[phase].everyone else [active])


def test_a_ruleset_is_registered_under_its_own_key() -> None:
    assert all(ruleset.key == key for key, ruleset in RULESETS.items())


def test_a_refusal_carries_its_code_and_plain_data() -> None:
    refused = Refused("row_closed", row="red")
    assert (str(refused), refused.code, refused.data) == ("row_closed", "row_closed", {"row": "red"})
