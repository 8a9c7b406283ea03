"""Sheets on which a player may swap the white sum, and sheets that score some marks twice."""

import pytest

from games.rules.actions import Mark
from games.rules.qwixx import QWIXX, NoteMade, QwixxState
from tests.rules.positions import after, colour_phase, crossed, facts_of, white_phase

pytestmark = pytest.mark.usefixtures("printed_sheets")


def _numbers(state: QwixxState, seat: int = 0) -> set[int]:
    return {action.number for action in QWIXX.options(state, seat) if isinstance(action, Mark)}


def test_x_change_the_white_sum_may_be_swapped_by_a_pair_that_names_it() -> None:
    state = white_phase(crossed(2, {}, sheet="x_change"), (4, 4))
    assert _numbers(state) == {8, 5, 6}  # itself, by the pair of 8 and 5, by the pair of 8 and 6


def test_x_change_a_used_pair_and_all_before_it_are_gone() -> None:
    state = white_phase(crossed(2, {}, sheet="x_change"), (4, 4))
    state = after(QWIXX, state, {0: Mark("red", 6)})
    assert state.seat_sheets[0].notes == (6,)
    assert _numbers(white_phase(state, (4, 4)), seat=0) == {8}
    assert _numbers(white_phase(state, (4, 4)), seat=1) == {8, 5, 6}


def test_x_change_using_the_sum_itself_uses_no_pair() -> None:
    state = white_phase(crossed(2, {}, sheet="x_change"), (4, 4))
    assert not any(isinstance(fact, NoteMade) for fact in facts_of(QWIXX, state, {0: Mark("red", 8)}))


def test_x_change_swaps_are_for_action_one_only() -> None:
    state = colour_phase(crossed(2, {}, sheet="x_change"), (4, 4), red=4)
    assert QWIXX.refusal(state, 0, Mark("red", 5)) == "number_not_rolled"
    assert not any(isinstance(fact, NoteMade) for fact in facts_of(QWIXX, state, {0: Mark("red", 8)}))


def test_x_change_a_swapped_number_obeys_all_other_rules() -> None:
    state = white_phase(crossed(2, {0: {"red": [7]}}, sheet="x_change"), (4, 4))
    assert QWIXX.refusal(state, 0, Mark("red", 5)) == "left_to_right"


def test_x_change_swaps_score_nothing() -> None:
    state = after(QWIXX, white_phase(crossed(2, {}, sheet="x_change"), (4, 4)), {0: Mark("red", 5)})
    assert QWIXX.points(state, 0)["total"] == 1


def test_connected_a_marked_steps_score_once_more_by_the_table() -> None:
    steps = {"yellow": [2, 6, 8], "green": [11, 9], "blue": [10]}  # six of the eleven, and nothing else
    points = QWIXX.points(crossed(2, {0: steps}, sheet="connected_a_steps"), 0)
    assert points["bonus"] == 21
    assert points["total"] == 6 + 3 + 1 + 21


def test_connected_a_marks_beside_the_steps_score_as_usual() -> None:
    assert QWIXX.points(crossed(2, {0: {"red": [2, 3]}}, sheet="connected_a_steps"), 0)["bonus"] == 0


def test_connected_a_all_eleven_steps_pay_66() -> None:
    every = {"red": range(2, 13), "yellow": range(2, 13), "green": range(12, 1, -1), "blue": range(12, 1, -1)}
    assert QWIXX.points(crossed(2, {0: every}, sheet="connected_a_steps"), 0)["bonus"] == 66
