"""Rule 1.2: which cell of a Qwixx row may be crossed."""

import pytest

from games.rules.actions import Mark, Pass
from games.rules.layouts.qwixx_layouts import CLASSIC
from games.rules.marked_sheet import order_refusal
from games.rules.qwixx import QWIXX
from tests.rules.positions import after, crossed, white_phase

PRINTED = {"red": [5, 7], "yellow": [10], "green": [6], "blue": [10]}


def _free_numbers(row: str) -> list[int]:
    """The numbers of a row that order and lock allow, whatever was rolled."""
    marked = crossed(2, {0: PRINTED}).seat_sheets[0]
    cells = CLASSIC.cells[row]
    return [n for n, cell in cells.items() if order_refusal(CLASSIC, marked, cell.row, cell.column) is None]


@pytest.mark.parametrize(
    ("row", "allowed"),
    [
        ("red", [8, 9, 10, 11]),
        ("yellow", [11]),
        ("green", [5, 4, 3]),
        ("blue", [9, 8, 7, 6, 5, 4, 3]),
    ],
)
def test_only_numbers_right_of_the_right_most_mark_may_be_crossed(row: str, allowed: list[int]) -> None:
    assert _free_numbers(row) == allowed


@pytest.mark.parametrize(("row", "last"), [("red", 12), ("yellow", 12), ("green", 2), ("blue", 2)])
def test_only_the_lock_rule_forbids_the_last_number_of_the_printed_rows(row: str, last: int) -> None:
    marked, cell = crossed(2, {0: PRINTED}).seat_sheets[0], CLASSIC.cells[row][last]
    assert order_refusal(CLASSIC, marked, cell.row, cell.column) == "lock_needs_marks"


def test_a_skipped_number_is_lost_for_good() -> None:
    state = white_phase(crossed(2, {0: {"red": [5, 7]}}), (2, 4))
    assert QWIXX.refusal(state, 0, Mark("red", 6)) == "left_to_right"


def test_a_number_is_crossed_only_once() -> None:
    state = white_phase(crossed(2, {0: {"red": [5]}}), (2, 3))
    assert QWIXX.refusal(state, 0, Mark("red", 5)) == "left_to_right"


@pytest.mark.parametrize(("row", "earlier", "number"), [("green", 6, 7), ("blue", 10, 11)])
def test_green_and_blue_fall_from_twelve_to_two(row: str, earlier: int, number: int) -> None:
    state = white_phase(crossed(2, {0: {row: [earlier]}}), (number - 5, 5))
    assert QWIXX.refusal(state, 0, Mark(row, number)) == "left_to_right"


def test_any_number_may_be_the_first_of_its_row() -> None:
    state = white_phase(crossed(2, {}), (5, 6))
    assert QWIXX.options(state, 0) == (*(Mark(row, 11) for row in ("red", "yellow", "green", "blue")), Pass())


def test_last_number_needs_five_marks_first() -> None:
    four = white_phase(crossed(2, {0: {"red": [2, 3, 4, 5]}}), (6, 6))
    five = white_phase(crossed(2, {0: {"red": [2, 3, 4, 5, 6]}}), (6, 6))
    assert QWIXX.refusal(four, 0, Mark("red", 12)) == "lock_needs_marks"
    assert QWIXX.refusal(five, 0, Mark("red", 12)) is None


def test_marks_of_other_rows_do_not_open_a_lock() -> None:
    state = white_phase(crossed(2, {0: {"yellow": [2, 3, 4, 5, 6], "red": [2]}}), (6, 6))
    assert QWIXX.refusal(state, 0, Mark("red", 12)) == "lock_needs_marks"


def test_marks_of_other_players_do_not_open_a_lock() -> None:
    state = white_phase(crossed(2, {1: {"red": [2, 3, 4, 5, 6]}}), (6, 6))
    assert QWIXX.refusal(state, 0, Mark("red", 12)) == "lock_needs_marks"


def test_the_last_number_crosses_the_lock_too() -> None:
    state = after(QWIXX, white_phase(crossed(2, {0: {"green": [12, 11, 10, 9, 8]}}), (1, 1)), {0: Mark("green", 2)})
    assert QWIXX.sheet_view(state, 0)["rows"]["green"] == [12, 11, 10, 9, 8, 2]
    assert QWIXX.sheet_view(state, 0)["locks"] == ["green"]


def test_a_mark_changes_only_the_players_own_sheet() -> None:
    state = after(QWIXX, white_phase(crossed(3, {}), (2, 3)), {1: Mark("blue", 5)})
    assert [QWIXX.sheet_view(state, seat)["rows"]["blue"] for seat in range(3)] == [[], [5], []]
