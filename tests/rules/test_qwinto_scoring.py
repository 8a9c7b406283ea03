"""Rule 2.4: the endings and the score of Qwinto, with the two printed example sheets."""

import pytest

from games.rules.actions import Pass, Write
from games.rules.qwinto import CLASSIC, QWINTO
from tests.rules.positions import after, write_phase, written

Cells = dict[int, int]
SARA: dict[str, Cells] = {
    "orange": {3: 5, 7: 10, 8: 13, 11: 17},
    "yellow": {1: 2, 2: 3, 3: 4, 4: 6, 5: 8, 7: 11, 8: 12, 9: 14, 10: 16},
    "purple": {0: 1, 1: 3, 3: 6, 5: 7, 7: 9, 8: 14},
}
TIM: dict[str, Cells] = {
    "orange": {2: 3, 8: 12, 10: 15},
    "yellow": {2: 2, 5: 8, 8: 11},
    "purple": {2: 4, 3: 6, 6: 7, 8: 13},
}


def _row(colour: str, numbers: range) -> Cells:
    return dict(zip(CLASSIC.columns[colour], numbers, strict=False))


def test_the_printed_sheet_of_sara_scores_43() -> None:
    points = {"orange": 4, "yellow": 16, "purple": 6, "bonus": 27, "fails": -10, "total": 43}
    assert QWINTO.points(written(2, {0: SARA}, fails={0: 2}), 0) == points


def test_the_printed_sheet_of_tim_scores_25() -> None:
    points = {"orange": 3, "yellow": 3, "purple": 4, "bonus": 15, "fails": 0, "total": 25}
    assert QWINTO.points(written(2, {0: TIM}), 0) == points


@pytest.mark.parametrize(
    ("rows", "column", "bonus"),
    [
        *((SARA, column, bonus) for column, bonus in ((2, 0), (3, 5), (7, 10), (8, 12), (9, 0))),
        *((TIM, column, bonus) for column, bonus in ((2, 4), (3, 0), (7, 0), (8, 11), (9, 0))),
    ],
)
def test_a_full_column_of_three_scores_its_pentagon(rows: dict[str, Cells], column: int, bonus: int) -> None:
    alone = {row: {column: cells[column]} if column in cells else {} for row, cells in rows.items()}
    assert QWINTO.points(written(2, {0: alone}), 0)["bonus"] == bonus


def test_a_full_column_of_two_scores_nothing() -> None:
    assert QWINTO.points(written(2, {0: {"yellow": {1: 4}, "purple": {1: 5}}}), 0)["bonus"] == 0


def test_a_full_row_scores_its_right_most_number() -> None:
    assert QWINTO.points(written(2, {0: {"orange": _row("orange", range(10, 19))}}), 0)["orange"] == 18


def test_a_row_that_is_not_full_scores_one_point_per_number() -> None:
    assert QWINTO.points(written(2, {0: {"orange": _row("orange", range(10, 18))}}), 0)["orange"] == 8


def test_purple_column_nine_counts_as_last_number_of_its_row_and_as_pentagon() -> None:
    rows = {"purple": _row("purple", range(7, 16)), "orange": {9: 16}, "yellow": {9: 14}}
    points = QWINTO.points(written(2, {0: rows}), 0)
    assert (points["purple"], points["bonus"], points["total"]) == (15, 15, 32)


def test_a_failed_throw_costs_five_points() -> None:
    assert QWINTO.points(written(2, {}, fails={0: 3}), 0)["total"] == -15


def test_two_full_rows_of_one_player_end_the_game() -> None:
    rows = {"orange": _row("orange", range(1, 10)), "yellow": _row("yellow", range(2, 10))}
    state = write_phase(written(2, {1: rows}), active=0, yellow=6, purple=5)
    state = after(QWINTO, state, {0: Write("purple", 0), 1: Write("yellow", 10)})
    assert QWINTO.ending(state) == "two_rows_filled"
    assert QWINTO.points(state, 0)["purple"] == 1  # all answers of the turn count


def test_full_rows_of_several_players_do_not_add_up() -> None:
    rows = {"orange": _row("orange", range(1, 10))}
    assert QWINTO.ending(written(2, {0: rows, 1: rows})) is None


def test_the_fourth_failed_throw_ends_the_game_after_all_answers() -> None:
    state = write_phase(written(2, {}, fails={0: 3}), orange=3)
    state = after(QWINTO, state, {0: Pass(), 1: Write("orange", 2)})
    assert QWINTO.ending(state) == "four_fails"
    assert QWINTO.points(state, 1)["total"] == 1


def test_three_failed_throws_do_not_end_the_game() -> None:
    assert QWINTO.ending(written(2, {}, fails={0: 3, 1: 3})) is None


def test_the_game_does_not_end_before_the_turn_does() -> None:
    rows = {"orange": _row("orange", range(1, 10)), "yellow": _row("yellow", range(2, 11))}
    assert QWINTO.ending(write_phase(written(2, {0: rows}), orange=3)) is None


def test_two_rows_filled_is_the_reason_if_both_endings_apply() -> None:
    rows = {"orange": _row("orange", range(1, 10)), "yellow": _row("yellow", range(2, 10))}
    state = write_phase(written(2, {1: rows}, fails={0: 3}), active=0, yellow=6, purple=5)
    assert QWINTO.ending(after(QWINTO, state, {1: Write("yellow", 10)})) == "two_rows_filled"


def test_a_qwinto_sheet_is_shown_as_columns_and_their_numbers() -> None:
    shown = QWINTO.sheet_view(written(2, {0: {"orange": {3: 9, 7: 12}}}, fails={0: 1}), 0)
    assert shown["rows"] == {"orange": {"3": 9, "7": 12}, "yellow": {}, "purple": {}}
    assert shown["fails"] == 1
    assert shown["points"]["total"] == -3


def test_no_row_of_qwinto_is_ever_closed() -> None:
    assert QWINTO.closed_rows(written(2, {0: {"orange": _row("orange", range(1, 10))}})) == []
