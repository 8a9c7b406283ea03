"""Sheets whose cells differ from the classic ones: other colours, another order, bonus rows, two crosses a cell."""

import pytest

from games.rules.actions import Mark, Pass, Roll
from games.rules.facts import TurnStarted
from games.rules.layouts.qwixx_layouts import SHEETS, read_sheet
from games.rules.qwixx import QWIXX, NoteMade, QwixxState
from tests.rules.positions import after, colour_phase, crossed, facts_of, thrown, white_phase

FIVE = [2, 3, 4, 5, 6]


def _offered(state: QwixxState, seat: int = 0) -> set[tuple[str, int]]:
    return {(action.row, action.number) for action in QWIXX.options(state, seat) if isinstance(action, Mark)}


def test_mixx_a_marks_a_cell_of_the_dies_colour_in_any_row() -> None:
    state = colour_phase(crossed(2, {}, sheet="mixx_a"), (1, 1), red=2, yellow=3, green=3, blue=3)
    assert _offered(state) == {("yellow", 3), ("red", 4), ("yellow", 4), ("blue", 4)}


def test_mixx_a_locking_a_row_removes_the_die_of_its_last_cells_colour() -> None:
    state = white_phase(crossed(2, {0: {"red": FIVE}}, sheet="mixx_a"), (6, 6))
    state = after(QWIXX, state, {0: Mark("red", 12)})
    assert list(state.dice) == ["white", "yellow", "green", "blue"]


def test_mixx_a_the_last_cell_and_not_the_row_names_the_die_that_leaves() -> None:
    """On the official sheet every row is named after its last cell; a made-up one exchanges red and blue."""
    red, blue, own = list(range(2, 13)), list(range(12, 1, -1)), SHEETS["classic"].rows[1:3]
    rows = [{"key": "red", "numbers": red, "colours": ["red"] * 10 + ["blue"]}]
    rows += [{"key": row.key, "numbers": list(row.numbers)} for row in own]
    rows += [{"key": "blue", "numbers": blue, "colours": ["blue"] * 10 + ["red"]}]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SHEETS, "made_up", read_sheet("made_up", {"rows": rows}))
        state = after(QWIXX, white_phase(crossed(2, {0: {"red": FIVE}}, sheet="made_up"), (6, 6)), {0: Mark("red", 12)})
        assert list(state.dice) == ["white", "red", "yellow", "green"]
        state = QWIXX.evolve(state, TurnStarted(1, 2))
        assert list(thrown(QWIXX, state, Roll()).dice) == ["white", "red", "yellow", "green"]


def test_mixx_a_cells_of_a_removed_colour_stay_markable_by_the_white_sum() -> None:
    state = crossed(2, {}, sheet="mixx_a", closed=["red"])
    assert ("yellow", 3) in _offered(white_phase(state, (1, 2)))
    assert ("yellow", 3) not in _offered(colour_phase(state, (1, 2), yellow=2, green=2, blue=2))


def test_mixx_b_orders_by_position_and_not_by_value() -> None:
    state = white_phase(crossed(2, {0: {"red": [6]}}, sheet="mixx_b"), (1, 1))
    assert QWIXX.refusal(state, 0, Mark("red", 2)) is None
    state = white_phase(crossed(2, {0: {"red": [6]}}, sheet="mixx_b"), (5, 5))
    assert QWIXX.refusal(state, 0, Mark("red", 10)) == "left_to_right"


@pytest.mark.parametrize(("row", "last"), [("red", 11), ("yellow", 10), ("green", 3), ("blue", 4)])
def test_mixx_b_locks_on_the_last_printed_number(row: str, last: int) -> None:
    state = white_phase(crossed(2, {}, sheet="mixx_b"), (last - last // 2, last // 2))
    assert QWIXX.refusal(state, 0, Mark(row, last)) == "lock_needs_marks"


def test_big_points_a_bonus_cell_needs_an_own_mark_beside_it() -> None:
    state = white_phase(crossed(2, {0: {"yellow": [7]}}, sheet="big_points"), (3, 4))
    assert QWIXX.refusal(state, 0, Mark("red_yellow", 7)) is None
    assert QWIXX.refusal(state, 0, Mark("green_blue", 7)) == "bonus_needs_mark"
    assert QWIXX.refusal(state, 1, Mark("red_yellow", 7)) == "bonus_needs_mark"
    assert QWIXX.refusal(state, 0, Mark("red_yellow", 8)) == "number_not_rolled"


def test_big_points_in_action_two_only_the_colour_beside_the_bonus_cell_marks_it() -> None:
    position = crossed(2, {0: {"yellow": [7]}}, sheet="big_points")
    assert ("red_yellow", 7) in _offered(colour_phase(position, (1, 1), yellow=6, red=2))
    assert ("red_yellow", 7) not in _offered(colour_phase(position, (1, 1), red=6, yellow=2))


def test_big_points_a_bonus_row_goes_left_to_right_by_itself() -> None:
    position = crossed(2, {0: {"red": [5, 7], "red_yellow": [7]}}, sheet="big_points")
    assert QWIXX.refusal(white_phase(position, (2, 3)), 0, Mark("red_yellow", 5)) == "left_to_right"


def test_big_points_a_bonus_row_stays_open_and_never_locks() -> None:
    position = crossed(2, {0: {"red": [*FIVE, 12]}}, sheet="big_points", closed=["red"])
    state = after(QWIXX, white_phase(position, (6, 6)), {0: Mark("red_yellow", 12)})
    assert QWIXX.closed_rows(state) == ["red"]
    assert QWIXX.sheet_view(state, 0)["locks"] == ["red"]


def test_big_points_a_bonus_mark_spares_the_penalty() -> None:
    position = crossed(2, {0: {"red": [7]}}, sheet="big_points")
    state = after(QWIXX, white_phase(position, (3, 4)), {0: Mark("red_yellow", 7)})
    assert after(QWIXX, state, {0: Pass()}).seat_sheets[0].penalties == 0


def test_big_points_bonus_marks_have_no_share_in_the_five() -> None:
    position = crossed(2, {0: {"red": [2, 3, 4, 5], "red_yellow": [2, 3, 4, 5]}}, sheet="big_points")
    assert QWIXX.refusal(white_phase(position, (6, 6)), 0, Mark("red", 12)) == "lock_needs_marks"


def test_big_points_a_bonus_mark_counts_for_both_neighbours() -> None:
    points = QWIXX.points(crossed(2, {0: {"red": [2, 3], "red_yellow": [2]}}, sheet="big_points"), 0)
    assert points == {"red": 6, "yellow": 1, "green": 0, "blue": 0, "bonus": 0, "penalties": 0, "total": 7}


def test_big_points_no_row_pays_for_more_than_fifteen_crosses() -> None:
    every = list(range(2, 13))
    assert QWIXX.points(crossed(2, {0: {"red": every, "red_yellow": every}}, sheet="big_points"), 0)["red"] == 120


def test_double_a_the_right_most_cross_may_be_made_again_when_rolled_again() -> None:
    state = white_phase(crossed(2, {0: {"red": [5, 7]}}, sheet="double_a"), (3, 4))
    assert QWIXX.refusal(state, 0, Mark("red", 7)) is None
    assert NoteMade in {type(fact) for fact in facts_of(QWIXX, state, {0: Mark("red", 7)})}
    assert QWIXX.points(after(QWIXX, state, {0: Mark("red", 7)}), 0)["red"] == 6


def test_double_a_a_first_cross_is_one_cross() -> None:
    state = after(QWIXX, white_phase(crossed(2, {}, sheet="double_a"), (3, 4)), {0: Mark("red", 7)})
    assert QWIXX.points(state, 0)["red"] == 1


def test_double_a_a_second_cross_counts_in_its_own_row_only() -> None:
    state = white_phase(crossed(2, {0: {"red": [7], "green": [7]}}, sheet="double_a"), (3, 4))
    points = QWIXX.points(after(QWIXX, state, {0: Mark("green", 7)}), 0)
    assert points == {"red": 1, "yellow": 0, "green": 3, "blue": 0, "bonus": 0, "penalties": 0, "total": 4}


def test_double_a_no_cell_is_crossed_three_times() -> None:
    state = after(QWIXX, white_phase(crossed(2, {0: {"red": [7]}}, sheet="double_a"), (3, 4)), {0: Mark("red", 7)})
    assert QWIXX.refusal(white_phase(state, (3, 4)), 0, Mark("red", 7)) == "left_to_right"
    assert QWIXX.refusal(white_phase(state, (4, 4)), 0, Mark("red", 8)) is None


def test_double_a_only_the_right_most_cross_may_be_made_again() -> None:
    state = white_phase(crossed(2, {0: {"red": [5, 7]}}, sheet="double_a"), (2, 3))
    assert QWIXX.refusal(state, 0, Mark("red", 5)) == "left_to_right"


def test_double_a_seven_crosses_second_ones_included_come_before_the_last() -> None:
    state = white_phase(crossed(2, {0: {"red": [*FIVE, 7]}}, sheet="double_a"), (6, 6))
    assert QWIXX.refusal(state, 0, Mark("red", 12)) == "lock_needs_marks"
    state = after(QWIXX, white_phase(state, (3, 4)), {0: Mark("red", 7)})
    assert QWIXX.refusal(white_phase(state, (6, 6)), 0, Mark("red", 12)) is None


def test_double_a_the_last_cell_is_never_doubled() -> None:
    state = crossed(2, {0: {"red": [*FIVE, 7, 8, 12]}}, sheet="double_a")
    assert QWIXX.refusal(white_phase(state, (6, 6)), 0, Mark("red", 12)) == "left_to_right"


def test_double_b_a_double_cell_gives_two_crosses() -> None:
    assert QWIXX.points(crossed(2, {0: {"red": [3, 4]}}, sheet="double_b"), 0)["red"] == 6


def test_double_b_double_cells_count_towards_the_seven_before_the_last() -> None:
    six = white_phase(crossed(2, {0: {"green": [12, 11, 10, 9, 7]}}, sheet="double_b"), (1, 1))
    seven = white_phase(crossed(2, {0: {"green": [12, 11, 10, 8, 7]}}, sheet="double_b"), (1, 1))
    assert QWIXX.refusal(six, 0, Mark("green", 2)) == "lock_needs_marks"
    assert QWIXX.refusal(seven, 0, Mark("green", 2)) is None


def test_double_b_a_full_row_pays_for_sixteen_crosses() -> None:
    assert QWIXX.points(crossed(2, {0: {"red": range(2, 13)}}, sheet="double_b"), 0)["red"] == 136
