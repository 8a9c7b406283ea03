"""A sheet on which pairs of cells have an effect once both are marked."""

from games.rules.actions import Mark
from games.rules.clauses.pairs import two_in_fewest
from games.rules.layouts.qwixx_layouts import SHEETS, read_sheet
from games.rules.qwixx import QWIXX, NoteMade, RowClosed
from games.rules.qwixx_sheets import Marking
from tests.rules.positions import after, cells_marked, colour_phase, crossed, facts_of, totals, white_phase


def test_bonus_b_one_in_each_marks_the_next_cell_of_every_open_row() -> None:
    state = crossed(2, {0: {"yellow": [7]}}, sheet="bonus_b", closed=["green"])
    assert cells_marked(white_phase(state, (3, 4)), "blue", 7) == [("blue", 7), ("red", 2), ("yellow", 8), ("blue", 6)]


def test_bonus_b_two_in_fewest_marks_two_cells_of_the_row_with_fewest() -> None:
    state = crossed(2, {0: {"yellow": [11], "blue": [12], "red": [2]}}, sheet="bonus_b")
    assert cells_marked(white_phase(state, (4, 5)), "green", 9) == [("green", 9), ("red", 3), ("red", 4)]


def test_bonus_b_among_rows_with_equally_few_marks_the_upper_one_gets_two() -> None:
    state = crossed(2, {0: {"yellow": [11]}}, sheet="bonus_b")
    assert cells_marked(white_phase(state, (4, 5)), "green", 9) == [("green", 9), ("red", 2), ("red", 3)]


def test_bonus_b_two_in_fewest_passes_over_closed_rows_and_forces_nothing_without_open_rows() -> None:
    sheet = SHEETS["bonus_b"]
    assert two_in_fewest(sheet, sheet.opening(), 0b0001) == ((1, 0), (1, 1))
    assert two_in_fewest(sheet, sheet.opening(), 0b1111) == ()


def test_bonus_b_an_effect_may_close_a_row_and_end_the_game_in_another_players_action() -> None:
    rows = {"red": [2, 3, 4, 5, 11], "yellow": [2, 7]}
    state = white_phase(crossed(2, {0: rows}, sheet="bonus_b", closed=["green"]), (3, 4), active=1)
    facts = facts_of(QWIXX, state, {0: Mark("blue", 7)})
    assert [fact for fact in facts if isinstance(fact, RowClosed)] == [RowClosed("red", (0,))]
    assert QWIXX.ending(after(QWIXX, state, {0: Mark("blue", 7)})) == "two_rows_closed"


def test_bonus_b_an_effect_comes_once() -> None:
    state = after(QWIXX, white_phase(crossed(2, {0: {"yellow": [7]}}, sheet="bonus_b"), (3, 4)), {0: Mark("blue", 7)})
    assert cells_marked(white_phase(state, (2, 3)), "blue", 5) == [("blue", 5)]


def test_bonus_b_an_effect_within_an_effect_marks_its_full_number_of_cells() -> None:
    """Green 9, forced by one effect, brings the other: two in blue, beside the one in blue that is under way."""
    rows = {"red": [2, 3, 4], "yellow": [2, 3, 5, 7, 11], "green": [12, 11, 10]}
    state = white_phase(crossed(2, {0: rows}, sheet="bonus_b"), (3, 4))
    marked = cells_marked(state, "blue", 7)
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


def test_bonus_b_two_effects_of_one_mark_cross_different_cells() -> None:
    """On a printed sheet no mark completes two pairs that force marks; the clause allows it."""
    pairs = {"two_in_fewest": [["red", 2], ["yellow", 2]], "one_in_each": [["red", 2], ["green", 12]]}
    sheet = read_sheet("made_up", {"clauses": {"pairs": {"effects": pairs}}})
    marked, (clause,) = sheet.opening()._replace(marks=(1, 1, 1, 0)), sheet.clauses
    _, forced = clause.follows(sheet, marked, 0, Marking(0, 0, closed=0))
    assert forced == ((3, 0), (3, 1), (0, 1), (1, 1), (2, 1), (3, 2))
