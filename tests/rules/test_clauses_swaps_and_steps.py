"""Sheets on which a player may swap the white sum, and sheets that score some marks twice."""

from games.rules.actions import Mark
from games.rules.layouts.qwixx_layouts import read_sheet
from games.rules.qwixx import QWIXX, CellMarked, NoteMade, QwixxState
from games.rules.qwixx_sheets import Marking
from tests.rules.positions import after, colour_phase, crossed, facts_of, white_phase


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


def test_x_change_a_swap_takes_the_pairs_before_it_and_leaves_those_after_it() -> None:
    state = after(QWIXX, white_phase(crossed(2, {}, sheet="x_change"), (3, 4)), {0: Mark("red", 4)})
    assert state.seat_sheets[0].notes == (4,)  # the fourth pair, 7 and 4; the pair of 9 and 7 before it is lost
    assert _numbers(white_phase(state, (3, 4))) == {7}
    assert _numbers(white_phase(state, (3, 3))) == {6, 8, 4}


def test_x_change_no_pair_is_used_twice() -> None:
    state = white_phase(crossed(2, {}, sheet="x_change"), (4, 4))
    state = after(QWIXX, state, {0: Mark("red", 5)})
    assert _numbers(white_phase(state, (2, 3))) == {5, 10}  # the pair of 8 and 5 is used, that of 10 and 5 is not


def test_x_change_a_pair_that_is_printed_twice_is_offered_once_and_used_twice() -> None:
    """No official sheet prints a pair twice; the clause allows it."""
    sheet = read_sheet("made_up", {"clauses": {"swaps": {"pairs": [[8, 5], [9, 7], [5, 8]]}}})
    (clause,), swapped = sheet.clauses, Marking(0, 3, closed=0, white_sum=8)
    assert [clause.swaps(note, 8) for note in (0, 1, 3)] == [(5,), (5,), ()]
    assert [clause.follows(sheet, sheet.opening(), note, swapped) for note in (0, 1)] == [(1, ()), (3, ())]


def test_connected_a_each_seat_scores_the_steps_of_its_own_printing() -> None:
    state = QWIXX.opening("connected_a_steps", 2, ("E", "A"))
    for seat in range(2):
        state = QWIXX.evolve(state, CellMarked(seat, "red", 2, "white"))
    assert [QWIXX.points(state, seat)["bonus"] for seat in range(2)] == [1, 0]
    assert [QWIXX.sheet_view(state, seat)["printing"] for seat in range(2)] == ["E", "A"]


def test_connected_a_printings_follow_one_another_from_seat_to_seat() -> None:
    assert QWIXX.opening("connected_a_steps", 3).printings == ("A", "B", "C")
    assert QWIXX.opening("classic", 3).printings == ()
