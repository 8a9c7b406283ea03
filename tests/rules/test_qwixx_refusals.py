"""Every code with which Qwixx refuses an answer, and the order of codes."""

import pytest

from games.rules.actions import Action, Keep, Mark, Pass, Roll, Write
from games.rules.facts import TurnStarted
from games.rules.qwixx import QWIXX, QwixxState
from tests.rules.positions import colour_phase, crossed, white_phase

ROLLING = QWIXX.evolve(QWIXX.opening("classic", 2), TurnStarted(0, 1))


def _refusal(state: QwixxState, action: Action, seat: int = 0) -> str | None:
    return QWIXX.refusal(state, seat, action)


def test_an_action_of_another_phase_is_refused_as_wrong_phase() -> None:
    assert _refusal(ROLLING, Mark("red", 5)) == "wrong_phase"
    assert _refusal(ROLLING, Pass()) == "wrong_phase"
    assert _refusal(white_phase(ROLLING, (3, 4)), Roll()) == "wrong_phase"
    assert _refusal(colour_phase(ROLLING, (3, 4)), Roll()) == "wrong_phase"


def test_actions_of_other_games_are_refused_as_wrong_phase() -> None:
    assert _refusal(white_phase(ROLLING, (3, 4)), Write("red", 3)) == "wrong_phase"
    assert _refusal(ROLLING, Keep()) == "wrong_phase"


def test_an_action_of_a_seat_that_is_not_active_is_refused_as_not_your_turn() -> None:
    assert _refusal(ROLLING, Roll(), seat=1) == "not_your_turn"
    assert _refusal(colour_phase(ROLLING, (3, 4)), Mark("red", 4), seat=1) == "not_your_turn"


def test_wrong_phase_is_reported_before_not_your_turn() -> None:
    assert _refusal(ROLLING, Pass(), seat=1) == "wrong_phase"


def test_not_your_turn_is_reported_before_any_rule() -> None:
    assert _refusal(colour_phase(ROLLING, (3, 4)), Mark("pink", 99), seat=1) == "not_your_turn"


def test_a_roll_that_names_dice_is_refused_as_choose_dice() -> None:
    assert _refusal(ROLLING, Roll(("red",))) == "choose_dice"


def test_no_such_row_is_reported_before_no_such_number() -> None:
    state = white_phase(ROLLING, (3, 4))
    assert _refusal(state, Mark("pink", 99)) == "no_such_row"
    assert _refusal(state, Mark("red", 99)) == "no_such_number"
    assert _refusal(state, Mark("red", 1)) == "no_such_number"
    assert _refusal(state, Mark("red", 13)) == "no_such_number"


def test_no_such_number_is_reported_before_row_closed() -> None:
    state = white_phase(crossed(2, {}, closed=["red"]), (3, 4))
    assert _refusal(state, Mark("red", 99)) == "no_such_number"
    assert _refusal(state, Mark("red", 7)) == "row_closed"


@pytest.mark.parametrize(("row", "other"), [("red", "yellow"), ("yellow", "green"), ("green", "blue"), ("blue", "red")])
def test_row_closed_is_reported_before_number_not_rolled(row: str, other: str) -> None:
    state = white_phase(crossed(2, {}, closed=[row]), (3, 4))
    assert _refusal(state, Mark(row, 8)) == "row_closed"
    assert _refusal(state, Mark(other, 8)) == "number_not_rolled"


def test_row_closed_is_reported_in_action_two_although_its_die_is_gone() -> None:
    state = colour_phase(crossed(2, {}, closed=["red"]), (3, 4))
    assert _refusal(state, Mark("red", 8)) == "row_closed"


def test_number_not_rolled_is_reported_before_left_to_right() -> None:
    state = white_phase(crossed(2, {0: {"red": [9]}}), (3, 4))
    assert _refusal(state, Mark("red", 8)) == "number_not_rolled"
    assert _refusal(state, Mark("red", 7)) == "left_to_right"


def test_number_not_rolled_is_reported_before_lock_needs_marks() -> None:
    assert _refusal(white_phase(ROLLING, (3, 4)), Mark("red", 12)) == "number_not_rolled"
    assert _refusal(white_phase(ROLLING, (6, 6)), Mark("red", 12)) == "lock_needs_marks"


def test_left_to_right_is_reported_before_lock_needs_marks() -> None:
    """Only a sheet that no game could reach tells the two apart: the last number crossed with too few before it."""
    state = white_phase(crossed(2, {0: {"red": [12]}}), (6, 6))
    assert _refusal(state, Mark("red", 12)) == "left_to_right"
