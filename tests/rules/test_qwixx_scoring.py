"""Rule 1.5: the endings and the score of Qwixx."""

import pytest

from games.rules.actions import Mark, Pass
from games.rules.qwixx import QWIXX, QwixxState
from tests.rules.positions import after, colour_phase, crossed, totals, white_phase

RISING, FALLING = list(range(2, 13)), list(range(12, 1, -1))


@pytest.mark.parametrize(("crosses", "points"), list(enumerate([0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55])))
def test_n_crosses_score_n_times_n_plus_one_halves(crosses: int, points: int) -> None:
    assert QWIXX.points(crossed(2, {0: {"blue": FALLING[:crosses]}}), 0)["blue"] == points


def test_eleven_marks_and_the_lock_score_78() -> None:
    assert QWIXX.points(crossed(2, {0: {"red": RISING}}), 0)["red"] == 78


def test_ten_marks_and_the_lock_score_66() -> None:
    assert QWIXX.points(crossed(2, {0: {"red": [*RISING[:9], 12]}}), 0)["red"] == 66


def test_the_printed_example_has_its_printed_score() -> None:
    """Four, three, seven and eight crosses and two penalties: 10 + 6 + 28 + 36 - 10 = 70."""
    sheet = {"red": RISING[:4], "yellow": RISING[:3], "green": FALLING[:7], "blue": FALLING[:8]}
    state = crossed(2, {0: sheet}, penalties={0: 2})
    points = {"red": 10, "yellow": 6, "green": 28, "blue": 36, "penalties": -10, "total": 70}
    assert QWIXX.points(state, 0) == points


def test_a_penalty_costs_five_points() -> None:
    assert QWIXX.points(crossed(2, {}, penalties={1: 3}), 1)["total"] == -15


def test_the_lowest_total_is_minus_twenty() -> None:
    assert totals(QWIXX, crossed(2, {}, penalties={0: 4})) == [-20, 0]


def test_the_highest_total_is_266() -> None:
    """Two full rows with their locks, and two rows of all but the last number."""
    sheet = {"red": RISING, "yellow": RISING, "green": FALLING[:10], "blue": FALLING[:10]}
    assert QWIXX.points(crossed(2, {0: sheet}), 0)["total"] == 266


def test_the_fourth_penalty_of_any_player_ends_the_game() -> None:
    state = crossed(2, {}, penalties={1: 3})
    assert QWIXX.ending(state) is None
    state = after(QWIXX, colour_phase(state, (1, 1), active=1), {})
    assert QWIXX.ending(state) == "four_penalties"


def test_penalties_of_several_players_do_not_add_up() -> None:
    assert QWIXX.ending(crossed(2, {}, penalties={0: 3, 1: 3})) is None


def test_one_closed_row_does_not_end_the_game() -> None:
    assert QWIXX.ending(crossed(2, {}, closed=["red"])) is None


@pytest.mark.parametrize("second", ["yellow", "green", "blue"])
def test_two_closed_rows_end_the_game(second: str) -> None:
    assert QWIXX.ending(crossed(2, {}, closed=["red", second])) == "two_rows_closed"


def test_the_second_row_closed_in_action_two_ends_the_game() -> None:
    state = colour_phase(crossed(2, {0: {"red": RISING[:5]}}, closed=["blue"]), (6, 1), red=6)
    assert QWIXX.ending(state) is None
    assert QWIXX.ending(after(QWIXX, state, {0: Mark("red", 12)})) == "two_rows_closed"


def _sheet_as_shown(state: QwixxState) -> dict[str, object]:
    return {key: value for key, value in QWIXX.sheet_view(state, 0).items() if key != "points"}


def test_a_sheet_is_shown_as_its_crossed_numbers_locks_and_penalties() -> None:
    state = crossed(2, {0: {"red": [5, 7], "green": [12, 11, 9, 8, 7, 2]}}, penalties={0: 1})
    assert _sheet_as_shown(state) == {
        "rows": {"red": [5, 7], "yellow": [], "green": [12, 11, 9, 8, 7, 2], "blue": []},
        "locks": ["green"],
        "penalties": 1,
    }
    assert QWIXX.sheet_view(state, 0)["points"] == {
        "red": 3,
        "yellow": 0,
        "green": 28,
        "blue": 0,
        "penalties": -5,
        "total": 26,
    }


def test_a_seat_that_is_not_active_passes_without_penalty() -> None:
    state = white_phase(crossed(2, {}), (1, 1))
    assert totals(QWIXX, after(QWIXX, state, {0: Mark("red", 2), 1: Pass()})) == [1, 0]
