"""Every code with which Qwinto refuses an answer, and the order of codes."""

import pytest

from games.rules.actions import Action, Keep, Mark, Pass, Reroll, Roll, Write
from games.rules.facts import TurnStarted
from games.rules.qwinto import QWINTO, QwintoState
from tests.rules.positions import keep_phase, write_phase, written

EMPTY = written(2, {})
ROLLING = QWINTO.evolve(EMPTY, TurnStarted(0, 1))
HELD = written(2, {0: {"orange": {3: 5, 8: 9}, "yellow": {7: 6}}})


def _refusal(state: QwintoState, action: Action, seat: int = 0) -> str | None:
    return QWINTO.refusal(state, seat, action)


@pytest.mark.parametrize(
    ("state", "actions"),
    [
        (ROLLING, [Keep(), Reroll(), Pass(), Write("orange", 3), Mark("orange", 3)]),
        (keep_phase(EMPTY, orange=3), [Roll(("orange",)), Pass(), Write("orange", 3)]),
        (write_phase(EMPTY, orange=3), [Roll(("orange",)), Keep(), Reroll(), Mark("orange", 3)]),
    ],
    ids=["roll", "keep", "write"],
)
def test_an_action_of_another_phase_is_refused_as_wrong_phase(state: QwintoState, actions: list[Action]) -> None:
    assert {_refusal(state, action) for action in actions} == {"wrong_phase"}


def test_not_your_turn_is_reported_after_wrong_phase_and_before_any_rule() -> None:
    assert _refusal(ROLLING, Keep(), seat=1) == "wrong_phase"
    assert _refusal(ROLLING, Roll(()), seat=1) == "not_your_turn"


def test_no_such_row_is_reported_before_no_such_cell() -> None:
    state = write_phase(EMPTY, orange=3)
    assert _refusal(state, Write("red", 99)) == "no_such_row"
    assert _refusal(state, Write("orange", 99)) == "no_such_cell"
    assert _refusal(state, Write("orange", -1)) == "no_such_cell"


def test_no_such_cell_is_reported_before_row_not_rolled() -> None:
    assert _refusal(write_phase(EMPTY, purple=3), Write("orange", 5)) == "no_such_cell"


def test_cell_filled_is_reported_before_row_not_rolled() -> None:
    assert _refusal(write_phase(HELD, purple=3), Write("orange", 3)) == "cell_filled"


def test_row_not_rolled_is_reported_before_ascending() -> None:
    assert _refusal(write_phase(HELD, purple=6), Write("orange", 2)) == "row_not_rolled"


def test_ascending_is_reported_before_column_repeats() -> None:
    state = write_phase(written(2, {0: {"orange": {3: 5, 7: 4}, "yellow": {2: 6}}}), orange=6)
    assert _refusal(state, Write("orange", 2)) == "ascending"


def test_ascending_compares_with_numbers_on_both_sides() -> None:
    state = write_phase(HELD, orange=5)
    assert _refusal(state, Write("orange", 4)) == "ascending"  # no more than the five on its left
    state = write_phase(HELD, orange=3, yellow=6)
    assert _refusal(state, Write("orange", 7)) == "ascending"  # no less than the nine on its right


def test_column_repeats_is_reported_last() -> None:
    assert _refusal(write_phase(HELD, orange=6), Write("orange", 7)) == "column_repeats"
