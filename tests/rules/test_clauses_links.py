"""A sheet on which a mark at one end of a link marks the other end."""

from games.rules.actions import Mark
from games.rules.qwixx import QWIXX, RowClosed
from tests.rules.positions import after, cells_marked, crossed, facts_of, white_phase


def test_connected_b_a_link_marks_its_other_end() -> None:
    state = white_phase(crossed(2, {}, sheet="connected_b_chain"), (3, 3))
    assert cells_marked(state, "red", 6) == [("red", 6), ("yellow", 6)]


def test_connected_b_either_end_of_a_link_marks_the_other() -> None:
    state = white_phase(crossed(2, {}, sheet="connected_b_chain"), (3, 3))
    assert cells_marked(state, "yellow", 6) == [("yellow", 6), ("red", 6)]


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
    assert cells_marked(state, "red", 6) == [("red", 6)]


def test_connected_b_a_link_into_a_closed_row_closes_nothing_again() -> None:
    state = white_phase(crossed(2, {}, sheet="connected_b_chain", closed=["yellow"]), (3, 3))
    facts = facts_of(QWIXX, state, {0: Mark("red", 6), 1: Mark("red", 6)})
    assert not [fact for fact in facts if isinstance(fact, RowClosed)]
    assert QWIXX.closed_rows(after(QWIXX, state, {0: Mark("red", 6)})) == ["yellow"]


def test_connected_b_forced_marks_count_towards_the_five_before_the_lock() -> None:
    state = crossed(2, {0: {"yellow": [2, 3, 4, 5]}}, sheet="connected_b_chain")
    state = after(QWIXX, white_phase(state, (3, 3)), {0: Mark("red", 6)})
    assert QWIXX.refusal(white_phase(state, (6, 6)), 0, Mark("yellow", 12)) is None
