"""Rules 2.1 and 2.2: the printed Qwinto sheet, and which number may be written into which cell."""

from itertools import permutations

import pytest

from games.rules.actions import Pass, Write
from games.rules.qwinto import CLASSIC, COLOURS, QWINTO, QwintoState
from tests.rules.positions import write_phase, written

TIM = {
    "orange": {2: 3, 8: 12, 10: 15},
    "yellow": {2: 2, 5: 8, 8: 11},
    "purple": {2: 4, 3: 6, 6: 7, 8: 13},
}


def _values(state: QwintoState, row: str, column: int) -> list[int]:
    """What could ever be written into a cell as the sheet of seat 0 stands."""
    throws = ((number, write_phase(state, **{row: number})) for number in range(1, 19))
    return [number for number, thrown in throws if QWINTO.refusal(thrown, 0, Write(row, column)) is None]


@pytest.mark.parametrize(("row", "gap"), [("orange", 5), ("yellow", 6), ("purple", 4)])
def test_each_row_has_nine_cells_and_one_gap(row: str, gap: int) -> None:
    columns = CLASSIC.columns[row]
    assert len(columns) == 9
    assert [column for column in range(columns[0], columns[-1]) if column not in columns] == [gap]


@pytest.mark.parametrize(
    ("columns", "cells"),
    [((2, 3, 7, 8, 9), 3), ((1, 4, 5, 6, 10), 2), ((0, 11), 1)],
    ids=["of three", "of two", "of one"],
)
def test_columns_have_as_many_cells_as_printed(columns: tuple[int, ...], cells: int) -> None:
    held = [sum(column in row for row in CLASSIC.columns.values()) for column in range(12)]
    assert tuple(column for column, count in enumerate(held) if count == cells) == columns


def test_every_column_of_three_has_one_pentagon() -> None:
    assert dict(CLASSIC.pentagons) == {2: "purple", 3: "orange", 7: "orange", 8: "yellow", 9: "purple"}


def test_nothing_is_written_into_a_gap() -> None:
    state = write_phase(written(2, {}), orange=4)
    assert QWINTO.refusal(state, 0, Write("orange", 5)) == "no_such_cell"


def test_the_sum_is_written_into_a_row_whose_colour_was_rolled() -> None:
    state = write_phase(written(2, {}), yellow=4, purple=5)
    rows = {action.row for action in QWINTO.options(state, 1) if isinstance(action, Write)}
    assert rows == {"yellow", "purple"}
    assert QWINTO.refusal(state, 1, Write("orange", 3)) == "row_not_rolled"


def test_a_cell_between_two_numbers_takes_only_what_lies_between_them() -> None:
    assert _values(written(2, {0: TIM}), "yellow", 1) == [1]
    assert _values(written(2, {0: TIM}), "purple", 5) == []


def test_numbers_rise_strictly_from_left_to_right() -> None:
    state = written(2, {0: {"orange": {3: 5, 9: 12}}})
    assert _values(state, "orange", 2) == [1, 2, 3, 4]
    assert _values(state, "orange", 7) == [6, 7, 8, 9, 10, 11]
    assert _values(state, "orange", 10) == [13, 14, 15, 16, 17, 18]


def test_cells_may_be_left_empty_and_filled_later() -> None:
    state = write_phase(written(2, {0: {"orange": {2: 3, 11: 17}}}), orange=6)
    assert QWINTO.refusal(state, 0, Write("orange", 6)) is None


def test_a_column_holds_no_number_twice() -> None:
    state = write_phase(written(2, {0: {"orange": {3: 5}}}), yellow=5)
    assert QWINTO.refusal(state, 0, Write("yellow", 3)) == "column_repeats"
    assert QWINTO.refusal(state, 0, Write("yellow", 2)) is None


@pytest.mark.parametrize(("there", "here"), [*permutations(COLOURS, 2)])
def test_no_row_repeats_a_number_of_another_row_in_a_column_of_three(there: str, here: str) -> None:
    state = write_phase(written(2, {0: {there: {3: 5}}}), **{here: 5})
    assert QWINTO.refusal(state, 0, Write(here, 3)) == "column_repeats"


def test_a_column_of_two_cells_holds_no_number_twice() -> None:
    state = write_phase(written(2, {0: {"orange": {4: 5}}}), yellow=5)
    assert QWINTO.refusal(state, 0, Write("yellow", 4)) == "column_repeats"
    assert QWINTO.refusal(state, 0, Write("yellow", 5)) is None


def test_a_column_repeats_only_within_one_sheet() -> None:
    state = write_phase(written(2, {0: {"orange": {3: 5}}}), yellow=5)
    assert QWINTO.refusal(state, 1, Write("yellow", 3)) is None


def test_another_number_may_stand_in_the_same_column() -> None:
    assert 5 not in _values(written(2, {0: {"orange": {3: 5}}}), "yellow", 3)
    assert len(_values(written(2, {0: {"orange": {3: 5}}}), "yellow", 3)) == 17


def test_a_filled_cell_cannot_be_written_again() -> None:
    state = write_phase(written(2, {0: {"orange": {3: 5}}}), orange=6)
    assert QWINTO.refusal(state, 0, Write("orange", 3)) == "cell_filled"


def test_a_cell_that_no_number_fits_is_not_offered() -> None:
    for purple in range(1, 7):
        state = write_phase(written(2, {0: TIM}), purple=purple)
        assert Write("purple", 5) not in QWINTO.options(state, 0)


def test_passing_is_always_offered_in_phase_write() -> None:
    full = {row: dict(zip(columns, range(1, 10), strict=True)) for row, columns in CLASSIC.columns.items()}
    assert QWINTO.options(write_phase(written(2, {0: full}), orange=1), 0) == (Pass(),)
