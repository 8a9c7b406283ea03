"""A sheet on which boxed cells use a bar of fields, whose colours force marks."""

from games.rules.actions import Mark
from games.rules.layouts.qwixx_layouts import SHEETS, read_sheet
from games.rules.marked_sheet import next_cell
from games.rules.qwixx import QWIXX, CellMarked, NoteMade, RowClosed
from tests.rules.positions import after, cells_marked, crossed, facts_of, white_phase


def test_bonus_a_a_boxed_mark_forces_a_mark_of_the_bars_next_colour() -> None:
    state = white_phase(crossed(2, {0: {"red": [2]}}, sheet="bonus_a"), (2, 3))
    assert cells_marked(state, "yellow", 5) == [
        ("yellow", 5),
        ("red", 3),
        ("yellow", 6),
    ]  # red 3 is boxed, too: a chain
    state = after(QWIXX, state, {0: Mark("yellow", 5)})
    state = after(QWIXX, white_phase(state, (5, 5)), {0: Mark("blue", 10)})
    assert QWIXX.sheet_view(state, 0)["rows"] == {"red": [2, 3], "yellow": [5, 6], "green": [12], "blue": [10]}


def test_bonus_a_a_mark_that_is_not_boxed_forces_nothing() -> None:
    assert cells_marked(white_phase(crossed(2, {}, sheet="bonus_a"), (3, 4)), "red", 7) == [("red", 7)]


def test_bonus_a_fields_of_a_closed_colour_are_void_for_all() -> None:
    state = white_phase(crossed(2, {}, sheet="bonus_a", closed=["red"]), (4, 4))
    assert cells_marked(state, "yellow", 8) == [("yellow", 8), ("yellow", 9)]  # the bar's first field, red, is skipped


def test_bonus_a_fields_of_a_closed_colour_are_void_within_a_chain() -> None:
    state = white_phase(crossed(2, {0: {"red": [2]}}, sheet="bonus_a", closed=["yellow"]), (5, 5))
    assert cells_marked(state, "blue", 10) == [("blue", 10), ("red", 3), ("green", 12)]  # not yellow, the second field


def test_bonus_a_a_boxed_mark_never_uses_a_field_behind_one_that_is_used() -> None:
    state = white_phase(crossed(2, {}, sheet="bonus_a", closed=["red"]), (4, 4))
    state = after(QWIXX, state, {0: Mark("yellow", 8)})  # the first field is void, so the second one, yellow, is used
    assert cells_marked(white_phase(state, (5, 5)), "blue", 10) == [("blue", 10), ("green", 12)]


def test_bonus_a_a_forced_mark_may_lock_a_row() -> None:
    state = white_phase(crossed(2, {0: {"red": [2, 4, 5, 7, 11]}}, sheet="bonus_a"), (2, 3))
    facts = facts_of(QWIXX, state, {0: Mark("yellow", 5)})
    assert RowClosed("red", (0,)) in facts
    assert QWIXX.sheet_view(after(QWIXX, state, {0: Mark("yellow", 5)}), 0)["locks"] == ["red"]


def test_bonus_a_an_impossible_forced_mark_lapses_and_its_field_is_used() -> None:
    state = white_phase(crossed(2, {0: {"red": [11]}}, sheet="bonus_a"), (2, 3))
    assert facts_of(QWIXX, state, {0: Mark("yellow", 5)})[1:] == (
        CellMarked(0, "yellow", 5, "white"),
        NoteMade(0, "bonus_bar", 1),
    )


def test_bonus_a_a_used_up_bar_forces_nothing_more() -> None:
    state = QWIXX.evolve(crossed(2, {}, sheet="bonus_a"), NoteMade(0, "bonus_bar", 12))
    assert cells_marked(white_phase(state, (2, 3)), "yellow", 5) == [("yellow", 5)]


def test_bonus_a_a_forced_mark_may_close_a_row_in_another_players_action() -> None:
    state = white_phase(crossed(2, {0: {"red": [2, 4, 5, 7, 11]}}, sheet="bonus_a"), (1, 4), active=1)
    assert RowClosed("red", (0,)) in facts_of(QWIXX, state, {0: Mark("yellow", 5)})
    state = after(QWIXX, state, {0: Mark("yellow", 5)})
    assert QWIXX.closed_rows(state) == ["red"]
    assert "red" not in state.dice


def test_bonus_a_two_seats_close_a_row_together_where_one_mark_is_forced() -> None:
    rows = {0: {"red": [2, 4, 5, 7, 11]}, 1: {"red": [2, 4, 5, 7, 11]}}
    state = white_phase(crossed(2, rows, sheet="bonus_a"), (2, 3), active=1)
    facts = facts_of(QWIXX, state, {0: Mark("yellow", 5), 1: Mark("yellow", 5)})
    assert [fact for fact in facts if isinstance(fact, RowClosed)] == [RowClosed("red", (0, 1))]


def test_bonus_a_a_forced_mark_never_lands_on_a_taken_cell() -> None:
    state = crossed(2, {0: {"red": [4, 5]}}, sheet="bonus_a")
    assert cells_marked(white_phase(state, (2, 3)), "yellow", 5) == [("yellow", 5), ("red", 6), ("yellow", 6)]


def test_bonus_a_a_forced_mark_on_the_last_cell_needs_the_marks_of_its_sheet() -> None:
    """Six marks allow the lock on a sheet that asks for five, and not on one that asks for seven."""
    row = 0b1111110000  # six marks, the right-most beside the last cell
    for needed, cells in ((5, ((0, 10),)), (7, ())):
        sheet = read_sheet("made_up", {"marks_before_last": needed})
        assert next_cell(sheet, sheet.opening()._replace(marks=(row, 0, 0, 0)), 0) == cells


def test_bonus_a_a_full_row_takes_no_forced_mark() -> None:
    sheet = SHEETS["bonus_a"]
    assert next_cell(sheet, sheet.opening()._replace(marks=((1 << 11) - 1, 0, 0, 0)), 0) == ()


def test_bonus_a_forced_marks_may_close_the_second_row_and_end_the_game() -> None:
    state = crossed(2, {0: {"red": [2, 4, 5, 7, 11]}}, sheet="bonus_a", closed=["blue"])
    state = after(QWIXX, white_phase(state, (2, 3)), {0: Mark("yellow", 5)})
    assert QWIXX.ending(state) == "two_rows_closed"
