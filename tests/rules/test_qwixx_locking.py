"""Rule 1.4: which seats cross a lock, and what a closed row means for the others."""

from games.rules.actions import Mark, Pass, Roll
from games.rules.facts import TurnStarted
from games.rules.qwixx import QWIXX, RowClosed
from tests.rules.positions import after, colour_phase, crossed, facts_of, thrown, totals, white_phase

FIVE_RED, FIVE_GREEN = [2, 3, 4, 5, 6], [12, 11, 10, 9, 8]


def test_five_marks_and_the_last_number_lock_the_row_and_remove_its_die() -> None:
    """Laura holds five green marks and rolls 1 and 1: green 2 and the lock, 28 points; the green die is out."""
    state = white_phase(crossed(2, {0: {"green": FIVE_GREEN}}), (1, 1), red=6, yellow=6, green=6, blue=6)
    state = after(QWIXX, state, {0: Mark("green", 2)})
    assert QWIXX.closed_rows(state) == ["green"]
    assert state.dice == {"white": [1, 1], "red": [6], "yellow": [6], "blue": [6]}
    assert QWIXX.ending(state) is None
    assert totals(QWIXX, state) == [28, 0]


def test_two_players_lock_the_same_row_together_and_it_is_closed_once() -> None:
    state = white_phase(crossed(2, {0: {"red": FIVE_RED}, 1: {"red": FIVE_RED}}), (6, 6))
    facts = facts_of(QWIXX, state, {0: Mark("red", 12), 1: Mark("red", 12)})
    assert [fact for fact in facts if isinstance(fact, RowClosed)] == [RowClosed("red", (0, 1))]
    state = after(QWIXX, state, {0: Mark("red", 12), 1: Mark("red", 12)})
    assert totals(QWIXX, state) == [28, 28]
    assert QWIXX.closed_rows(state) == ["red"]
    assert QWIXX.ending(state) is None


def test_a_seat_with_fewer_than_five_marks_may_not_join_a_closing() -> None:
    state = white_phase(crossed(2, {0: {"red": FIVE_RED}, 1: {"red": [2, 3, 4, 5]}}), (6, 6))
    assert QWIXX.refusal(state, 1, Mark("red", 12)) == "lock_needs_marks"
    state = after(QWIXX, state, {0: Mark("red", 12)})
    assert QWIXX.closed_rows(state) == ["red"]
    assert totals(QWIXX, state) == [28, 10]


def test_a_row_closed_by_others_gives_nothing() -> None:
    state = white_phase(crossed(2, {0: {"red": FIVE_RED}, 1: {"red": FIVE_RED}}), (6, 6))
    state = after(QWIXX, state, {0: Mark("red", 12)})
    assert QWIXX.sheet_view(state, 1)["locks"] == []
    assert QWIXX.points(state, 1)["red"] == 15


def test_the_lock_is_one_more_cross_for_each_seat_that_crossed_the_last_number() -> None:
    state = after(QWIXX, white_phase(crossed(2, {0: {"red": FIVE_RED}}), (6, 6)), {0: Mark("red", 12)})
    assert QWIXX.points(state, 0)["red"] == 28  # six marks and the lock


def test_a_lock_in_action_two_closes_the_row_for_all_seats() -> None:
    state = colour_phase(crossed(2, {0: {"blue": FIVE_GREEN}}), (1, 4), blue=1)
    state = after(QWIXX, state, {0: Mark("blue", 2)})
    assert QWIXX.closed_rows(state) == ["blue"]
    assert QWIXX.refusal(white_phase(state, (3, 4), active=1), 1, Mark("blue", 7)) == "row_closed"


def test_a_closed_rows_die_is_not_rolled_again() -> None:
    state = QWIXX.evolve(crossed(2, {}, closed=["yellow"]), TurnStarted(0, 1))
    assert list(thrown(QWIXX, state, Roll()).dice) == ["white", "red", "green", "blue"]


def test_a_closed_row_is_not_offered() -> None:
    state = white_phase(crossed(2, {}, closed=["yellow"]), (3, 4))
    assert QWIXX.options(state, 0) == (Mark("red", 7), Mark("green", 7), Mark("blue", 7), Pass())


def test_a_row_is_open_to_all_seats_until_action_one_resolves() -> None:
    """Seats 0 and 2 lock red in the same action, though neither is active."""
    state = white_phase(crossed(3, {0: {"red": FIVE_RED}, 2: {"red": FIVE_RED}}), (6, 6), active=1)
    state = after(QWIXX, state, {0: Mark("red", 12), 1: Mark("green", 12), 2: Mark("red", 12)})
    assert [QWIXX.sheet_view(state, seat)["locks"] for seat in range(3)] == [["red"], [], ["red"]]


def test_closed_rows_are_listed_in_the_order_of_the_sheet() -> None:
    state = white_phase(crossed(2, {0: {"yellow": FIVE_RED}, 1: {"red": FIVE_RED}}), (6, 6))
    facts = facts_of(QWIXX, state, {0: Mark("yellow", 12), 1: Mark("red", 12)})
    assert facts[-2:] == (RowClosed("red", (1,)), RowClosed("yellow", (0,)))
