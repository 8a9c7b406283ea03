"""Rule 1.6: where the printed Qwixx sheets disagree or are silent, one test for each ruling."""

from itertools import permutations

from games.rules.actions import Mark, Pass, Roll
from games.rules.facts import TurnStarted
from games.rules.qwixx import QWIXX, PenaltyTaken
from tests.rules.positions import ChosenDice, after, colour_phase, crossed, facts_of, thrown, totals, white_phase

RISING, FALLING = [2, 3, 4, 5, 6], [12, 11, 10, 9, 8]
EMMA, MAX, LINUS = range(3)


def test_a_third_row_may_close_with_the_second_in_action_one() -> None:
    """Green was closed before; Emma rolls 6 and 6, Max locks red and Linus yellow: three closed rows, over at once."""
    state = crossed(3, {MAX: {"red": RISING}, LINUS: {"yellow": RISING}}, closed=["green"])
    state = after(QWIXX, white_phase(state, (6, 6), active=EMMA), {MAX: Mark("red", 12), LINUS: Mark("yellow", 12)})
    assert QWIXX.closed_rows(state) == ["red", "yellow", "green"]
    assert QWIXX.ending(state) == "two_rows_closed"
    assert totals(QWIXX, state) == [0, 28, 28]


def test_in_action_two_no_more_than_one_row_can_close() -> None:
    """One seat alone answers action 2, with one mark."""
    state = colour_phase(crossed(3, {seat: {"red": RISING} for seat in range(3)}), (6, 6), red=6)
    assert [len(QWIXX.options(state, seat)) > 0 for seat in range(3)] == [True, False, False]
    assert QWIXX.closed_rows(after(QWIXX, state, {0: Mark("red", 12)})) == ["red"]


def test_the_two_rows_that_end_the_game_may_be_closed_by_different_seats() -> None:
    state = crossed(3, {0: {"red": RISING}, 1: {"blue": FALLING}})
    state = after(QWIXX, white_phase(state, (6, 6), active=2), {0: Mark("red", 12)})
    state = after(QWIXX, state, {})
    assert QWIXX.ending(state) is None
    state = after(QWIXX, white_phase(state, (1, 1), active=2), {1: Mark("blue", 2)})
    assert [QWIXX.sheet_view(state, seat)["locks"] for seat in range(3)] == [["red"], ["blue"], []]
    assert QWIXX.ending(state) == "two_rows_closed"


def test_a_closed_row_stays_closed_for_the_rest_of_the_game() -> None:
    state = after(QWIXX, white_phase(crossed(2, {0: {"red": RISING}}), (6, 6)), {0: Mark("red", 12)})
    state = after(QWIXX, state, {})
    for turn in range(6):
        state = white_phase(state, (3, 4), active=turn % 2)
        assert QWIXX.refusal(state, 1, Mark("red", 7)) == "row_closed"
        assert state.dice is not None
        assert "red" not in state.dice
        state = after(QWIXX, after(QWIXX, state, {}), {})


def test_others_may_close_a_row_together_with_a_seat_that_is_not_active() -> None:
    state = crossed(3, {1: {"red": RISING}, 2: {"red": RISING}})
    state = after(QWIXX, white_phase(state, (6, 6), active=0), {1: Mark("red", 12), 2: Mark("red", 12)})
    assert [QWIXX.sheet_view(state, seat)["locks"] for seat in range(3)] == [[], ["red"], ["red"]]


def test_a_mark_in_only_one_of_the_two_actions_is_no_penalty() -> None:
    first = after(QWIXX, white_phase(crossed(2, {}), (3, 4)), {0: Mark("red", 7)})
    second = colour_phase(crossed(2, {}), (3, 4), red=1)
    assert after(QWIXX, first, {0: Pass()}).seat_sheets[0].penalties == 0
    assert after(QWIXX, second, {0: Mark("red", 4)}).seat_sheets[0].penalties == 0
    assert after(QWIXX, second, {0: Pass()}).seat_sheets[0].penalties == 1


def test_a_row_locked_in_action_one_cannot_be_used_in_action_two() -> None:
    state = white_phase(crossed(2, {0: {"red": [2]}, 1: {"red": RISING}}), (6, 6), red=1)
    state = after(QWIXX, state, {1: Mark("red", 12)})
    assert QWIXX.refusal(state, 0, Mark("red", 7)) == "row_closed"
    assert not any(isinstance(action, Mark) and action.row == "red" for action in QWIXX.options(state, 0))


def test_the_die_of_a_row_locked_in_action_one_is_gone_in_action_two() -> None:
    state = white_phase(crossed(2, {1: {"red": RISING}}), (6, 6))
    assert "red" not in after(QWIXX, state, {1: Mark("red", 12)}).dice


def test_a_second_row_closed_in_action_one_leaves_neither_action_two_nor_penalty() -> None:
    state = crossed(2, {1: {"red": RISING}}, closed=["blue"])
    state = white_phase(state, (6, 6), active=0)
    facts = facts_of(QWIXX, state, {1: Mark("red", 12)})
    state = after(QWIXX, state, {1: Mark("red", 12)})
    assert QWIXX.ending(state) == "two_rows_closed"
    assert not any(isinstance(fact, PenaltyTaken) for fact in facts)
    assert [sheet.penalties for sheet in state.seat_sheets] == [0, 0]


def test_all_answers_to_the_action_one_that_ends_the_game_count() -> None:
    state = white_phase(crossed(3, {2: {"red": RISING}}, closed=["blue"]), (6, 6), active=0)
    state = after(QWIXX, state, {0: Mark("green", 12), 1: Pass(), 2: Mark("red", 12)})
    assert QWIXX.ending(state) == "two_rows_closed"
    assert totals(QWIXX, state) == [1, 0, 28]


def test_the_same_row_may_be_marked_twice_in_one_turn_the_second_further_right() -> None:
    """Red 7 by 3 and 4, then red 8 by 3 and red 5; the other way round it would be refused."""
    state = after(QWIXX, white_phase(crossed(2, {}), (3, 4), red=5), {0: Mark("red", 7)})
    assert totals(QWIXX, after(QWIXX, state, {0: Mark("red", 8)})) == [3, 0]
    state = after(QWIXX, white_phase(crossed(2, {}), (3, 4), red=2), {0: Mark("red", 7)})
    assert QWIXX.refusal(state, 0, Mark("red", 6)) == "left_to_right"


def test_action_one_may_supply_the_fifth_mark_and_action_two_the_lock() -> None:
    state = white_phase(crossed(2, {0: {"red": [2, 3, 4, 5]}}), (1, 6), red=6)
    state = after(QWIXX, state, {0: Mark("red", 7)})
    state = after(QWIXX, state, {0: Mark("red", 12)})
    assert QWIXX.sheet_view(state, 0)["locks"] == ["red"]
    assert QWIXX.points(state, 0)["red"] == 28


def test_a_penalty_cannot_be_chosen_after_a_mark() -> None:
    state = after(QWIXX, white_phase(crossed(2, {}), (3, 4)), {0: Mark("red", 7)})
    assert PenaltyTaken(0) not in facts_of(QWIXX, state, {0: Pass()})


def test_the_result_of_action_one_does_not_depend_on_the_order_of_answers() -> None:
    state = white_phase(crossed(3, {0: {"red": RISING}, 1: {"red": RISING}}), (6, 6), active=2)
    answers = ((0, Mark("red", 12)), (1, Mark("red", 12)), (2, Mark("green", 12)))
    outcomes = [QWIXX.decide(state, dict(order), ChosenDice()) for order in permutations(answers)]
    assert all(outcome == outcomes[0] for outcome in outcomes)


def test_the_next_turn_rolls_only_the_dice_still_in_the_game() -> None:
    state = after(QWIXX, white_phase(crossed(2, {1: {"red": RISING}}), (6, 6)), {1: Mark("red", 12)})
    state = QWIXX.evolve(after(QWIXX, state, {}), TurnStarted(1, 2))
    assert list(thrown(QWIXX, state, Roll()).dice) == ["white", "yellow", "green", "blue"]
