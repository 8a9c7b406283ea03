"""Sheets on which a mark forces others: a bonus bar, pairs with an effect, links between rows."""

import pytest

from games.rules.actions import Mark
from games.rules.qwixx import QWIXX, CellMarked, NoteMade, QwixxState, RowClosed
from tests.rules.positions import after, colour_phase, crossed, facts_of, totals, white_phase

pytestmark = pytest.mark.usefixtures("printed_sheets")


def _marked(state: QwixxState, row: str, number: int) -> list[tuple[str, int]]:
    """The cells that seat 0 crosses when it marks this one."""
    facts = facts_of(QWIXX, state, {0: Mark(row, number)})
    return [(fact.row, fact.number) for fact in facts if isinstance(fact, CellMarked)]


def test_bonus_a_a_boxed_mark_forces_a_mark_of_the_bars_next_colour() -> None:
    state = white_phase(crossed(2, {0: {"red": [2]}}, sheet="bonus_a"), (2, 3))
    assert _marked(state, "yellow", 5) == [("yellow", 5), ("red", 3), ("yellow", 6)]  # red 3 is boxed, too: a chain
    state = after(QWIXX, state, {0: Mark("yellow", 5)})
    state = after(QWIXX, white_phase(state, (5, 5)), {0: Mark("blue", 10)})
    assert QWIXX.sheet_view(state, 0)["rows"] == {"red": [2, 3], "yellow": [5, 6], "green": [12], "blue": [10]}


def test_bonus_a_a_mark_that_is_not_boxed_forces_nothing() -> None:
    assert _marked(white_phase(crossed(2, {}, sheet="bonus_a"), (3, 4)), "red", 7) == [("red", 7)]


def test_bonus_a_fields_of_a_closed_colour_are_void_for_all() -> None:
    state = white_phase(crossed(2, {}, sheet="bonus_a", closed=["red"]), (4, 4))
    assert _marked(state, "yellow", 8) == [("yellow", 8), ("yellow", 9)]  # the bar's first field, red, is skipped


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
    assert _marked(white_phase(state, (2, 3)), "yellow", 5) == [("yellow", 5)]


def test_bonus_a_forced_marks_may_close_the_second_row_and_end_the_game() -> None:
    state = crossed(2, {0: {"red": [2, 4, 5, 7, 11]}}, sheet="bonus_a", closed=["blue"])
    state = after(QWIXX, white_phase(state, (2, 3)), {0: Mark("yellow", 5)})
    assert QWIXX.ending(state) == "two_rows_closed"


def test_bonus_b_one_in_each_marks_the_next_cell_of_every_open_row() -> None:
    state = crossed(2, {0: {"yellow": [7]}}, sheet="bonus_b", closed=["green"])
    assert _marked(white_phase(state, (3, 4)), "blue", 7) == [("blue", 7), ("red", 2), ("yellow", 8), ("blue", 6)]


def test_bonus_b_two_in_fewest_marks_two_cells_of_the_row_with_fewest() -> None:
    state = crossed(2, {0: {"yellow": [11], "blue": [12], "red": [2]}}, sheet="bonus_b")
    assert _marked(white_phase(state, (4, 5)), "green", 9) == [("green", 9), ("red", 3), ("red", 4)]


def test_bonus_b_an_effect_comes_once() -> None:
    state = after(QWIXX, white_phase(crossed(2, {0: {"yellow": [7]}}, sheet="bonus_b"), (3, 4)), {0: Mark("blue", 7)})
    assert _marked(white_phase(state, (2, 3)), "blue", 5) == [("blue", 5)]


def test_bonus_b_an_effect_within_an_effect_marks_its_full_number_of_cells() -> None:
    """Green 9, forced by one effect, brings the other: two in blue, beside the one in blue that is under way."""
    rows = {"red": [2, 3, 4], "yellow": [2, 3, 5, 7, 11], "green": [12, 11, 10]}
    state = white_phase(crossed(2, {0: rows}, sheet="bonus_b"), (3, 4))
    marked = _marked(state, "blue", 7)
    assert marked[:5] == [("blue", 7), ("red", 5), ("yellow", 12), ("green", 9), ("blue", 6)]
    assert marked[5:] == [("blue", 5), ("blue", 4)]


def test_bonus_b_the_other_pairs_pay_at_the_end() -> None:
    rows = {"red": [6, 8], "blue": [10, 4], "yellow": [3], "green": [5]}
    state = crossed(2, {0: rows}, sheet="bonus_b", penalties={0: 2})
    assert totals(QWIXX, state) == [3 + 1 + 1 + 3 - 10, 0]
    state = QWIXX.evolve(state, NoteMade(0, "pairs", 0b11100))
    assert QWIXX.points(state, 0)["bonus"] == 1 + 13 + 10  # the row with fewest again, thirteen, no penalties
    assert totals(QWIXX, state) == [3 + 1 + 1 + 3 + 1 + 13, 0]


def test_bonus_b_the_fourth_penalty_ends_the_game_even_where_it_costs_nothing() -> None:
    state = QWIXX.evolve(crossed(2, {}, sheet="bonus_b", penalties={0: 3}), NoteMade(0, "pairs", 0b10000))
    state = after(QWIXX, colour_phase(state, (3, 4)), {})
    assert QWIXX.ending(state) == "four_penalties"
    assert totals(QWIXX, state) == [0, 0]


def test_connected_b_a_link_marks_its_other_end() -> None:
    state = white_phase(crossed(2, {}, sheet="connected_b_chain"), (3, 3))
    assert _marked(state, "red", 6) == [("red", 6), ("yellow", 6)]


def test_connected_b_a_link_marks_even_backwards() -> None:
    state = white_phase(crossed(2, {0: {"yellow": [9]}}, sheet="connected_b_chain"), (3, 3))
    state = after(QWIXX, state, {0: Mark("red", 6)})
    assert QWIXX.sheet_view(state, 0)["rows"]["yellow"] == [6, 9]
    assert QWIXX.refusal(white_phase(state, (4, 4)), 0, Mark("yellow", 8)) == "left_to_right"


def test_connected_b_a_link_marks_even_in_a_closed_row() -> None:
    state = white_phase(crossed(2, {}, sheet="connected_b_chain", closed=["yellow"]), (3, 3))
    state = after(QWIXX, state, {0: Mark("red", 6)})
    assert QWIXX.points(state, 0)["yellow"] == 1


def test_connected_b_a_forced_mark_on_the_right_moves_the_limit() -> None:
    state = after(QWIXX, white_phase(crossed(2, {}, sheet="connected_b_chain"), (3, 3)), {0: Mark("red", 6)})
    assert QWIXX.refusal(white_phase(state, (2, 3)), 0, Mark("yellow", 5)) == "left_to_right"


def test_connected_b_a_link_whose_other_end_is_marked_does_nothing() -> None:
    state = white_phase(crossed(2, {0: {"yellow": [6]}}, sheet="connected_b_chain"), (3, 3))
    assert _marked(state, "red", 6) == [("red", 6)]
