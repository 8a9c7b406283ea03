"""Rule 1.3: the turn of Qwixx, step by step, with the worked examples of the printed rules."""

from games.rules.actions import Mark, Pass, Roll
from games.rules.facts import PhaseClosed, TurnStarted
from games.rules.qwixx import QWIXX, CellMarked, PenaltyTaken
from tests.rules.positions import PASS, after, colour_phase, crossed, facts_of, thrown, totals, white_phase

MAX, EMMA, LAURA, LINUS = range(4)


def test_the_active_player_rolls_both_white_dice_and_every_coloured_one() -> None:
    state = QWIXX.evolve(QWIXX.opening("classic", 2), TurnStarted(1, 1))
    rolled = thrown(QWIXX, state, Roll(), white1=4, white2=1, blue=6)
    assert (rolled.seat, rolled.roll) == (1, 1)
    assert rolled.dice == {"white": [4, 1], "red": [1], "yellow": [1], "green": [1], "blue": [6]}


def test_only_the_active_player_rolls() -> None:
    state = QWIXX.evolve(QWIXX.opening("classic", 2), TurnStarted(1, 1))
    assert QWIXX.options(state, 1) == (Roll(),)
    assert QWIXX.options(state, 0) == ()


def test_all_seats_use_the_white_sum_and_only_the_active_seat_the_coloured_dice() -> None:
    """Max rolls 4 and 1: Emma crosses yellow 5, Max red 5, the others pass; then Max takes 4 and blue 6 for blue 10."""
    state = white_phase(crossed(4, {}), (4, 1), active=MAX, blue=6)
    state = after(QWIXX, state, {MAX: Mark("red", 5), EMMA: Mark("yellow", 5)})
    state = after(QWIXX, state, {MAX: Mark("blue", 10)})
    assert totals(QWIXX, state) == [2, 1, 0, 0]
    assert [sheet.penalties for sheet in state.seat_sheets] == [0, 0, 0, 0]
    assert QWIXX.ending(state) is None


def test_action_one_asks_all_seats() -> None:
    state = white_phase(crossed(3, {}), (3, 4), active=1)
    assert {QWIXX.options(state, seat) for seat in range(3)} == {
        (*(Mark(row, 7) for row in ("red", "yellow", "green", "blue")), Pass())
    }


def test_in_action_one_only_the_white_sum_counts() -> None:
    state = white_phase(crossed(2, {}), (4, 1), blue=6)
    assert QWIXX.refusal(state, 0, Mark("blue", 10)) == "number_not_rolled"


def test_action_two_adds_either_white_die_to_a_coloured_one() -> None:
    state = colour_phase(crossed(2, {}), (4, 1), red=3, yellow=2, green=5, blue=6)
    offered = set(QWIXX.options(state, 0)) - {Pass()}
    assert offered == {
        *(Mark("red", number) for number in (7, 4)),
        *(Mark("yellow", number) for number in (6, 3)),
        *(Mark("green", number) for number in (9, 6)),
        *(Mark("blue", number) for number in (10, 7)),
    }


def test_two_equal_white_dice_offer_each_number_of_action_two_once() -> None:
    state = colour_phase(crossed(2, {}), (3, 3), red=2)
    assert QWIXX.options(state, 0).count(Mark("red", 5)) == 1


def test_in_action_two_two_white_dice_are_not_added() -> None:
    state = colour_phase(crossed(2, {}), (6, 6))
    assert QWIXX.refusal(state, 0, Mark("red", 12)) == "number_not_rolled"


def test_a_sum_with_a_coloured_die_counts_only_in_the_row_of_that_colour() -> None:
    state = colour_phase(crossed(2, {}), (4, 4), blue=6)
    assert QWIXX.refusal(state, 0, Mark("red", 10)) == "number_not_rolled"


def test_action_two_asks_only_the_active_player() -> None:
    state = colour_phase(crossed(2, {}), (4, 1), active=1)
    assert QWIXX.refusal(state, 0, Pass()) == "not_your_turn"
    assert QWIXX.options(state, 0) == ()


def test_action_two_is_judged_on_the_sheet_after_action_one() -> None:
    state = after(QWIXX, white_phase(crossed(2, {}), (6, 5), red=2), {0: Mark("red", 11)})
    assert QWIXX.refusal(state, 0, Mark("red", 8)) == "left_to_right"


def test_an_active_player_who_marks_nothing_takes_a_penalty() -> None:
    state = after(QWIXX, colour_phase(crossed(2, {}), (3, 4)), {})
    assert [sheet.penalties for sheet in state.seat_sheets] == [1, 0]
    assert totals(QWIXX, state) == [-5, 0]
    assert QWIXX.ending(state) is None


def test_an_active_player_who_could_mark_nothing_takes_a_penalty() -> None:
    """Every row of seat 0 is marked in the cell before its last, and has too few marks for the last."""
    position = crossed(2, {0: {"red": [11], "yellow": [11], "green": [3], "blue": [3]}})
    action_one = white_phase(position, (3, 4), red=1, yellow=1, green=4, blue=4)
    action_two = after(QWIXX, action_one, {})
    assert QWIXX.options(action_one, 0) == QWIXX.options(action_two, 0) == (PASS,)
    assert after(QWIXX, action_two, {}).seat_sheets[0].penalties == 1


def test_a_mark_of_another_player_does_not_spare_the_penalty() -> None:
    state = after(QWIXX, white_phase(crossed(2, {}), (3, 4)), {1: Mark("red", 7)})
    assert [sheet.penalties for sheet in after(QWIXX, state, {}).seat_sheets] == [1, 0]


def test_a_mark_of_another_player_does_not_bring_the_penalty_back() -> None:
    state = white_phase(crossed(2, {}), (3, 4))
    state = after(QWIXX, state, {0: Mark("red", 7), 1: Mark("red", 7)})
    assert after(QWIXX, state, {0: Pass()}).seat_sheets[0].penalties == 0


def test_a_mark_in_action_two_alone_spares_the_penalty() -> None:
    state = after(QWIXX, colour_phase(crossed(2, {}), (3, 4), red=1), {0: Mark("red", 4)})
    assert state.seat_sheets[0].penalties == 0


def test_only_the_active_player_takes_a_penalty() -> None:
    state = after(QWIXX, colour_phase(crossed(5, {}), (3, 4), active=3), {})
    assert [sheet.penalties for sheet in state.seat_sheets] == [0, 0, 0, 1, 0]


def test_a_legal_mark_may_be_declined() -> None:
    state = white_phase(crossed(2, {}), (3, 4))
    assert Mark("red", 7) in QWIXX.options(state, 1)
    assert QWIXX.refusal(state, 1, Pass()) is None


def test_the_penalty_comes_after_the_phase_has_closed() -> None:
    assert facts_of(QWIXX, colour_phase(crossed(2, {}), (3, 4)), {}) == (PhaseClosed("colour"), PenaltyTaken(0))


def test_marks_are_listed_seat_by_seat_with_their_phase() -> None:
    state = white_phase(crossed(3, {}), (3, 4))
    assert facts_of(QWIXX, state, {2: Mark("red", 7), 0: Mark("blue", 7)}) == (
        PhaseClosed("white"),
        CellMarked(0, "blue", 7, "white"),
        CellMarked(2, "red", 7, "white"),
    )


def test_a_new_turn_resets_has_marked() -> None:
    state = after(QWIXX, white_phase(crossed(2, {}), (3, 4), active=0), {0: Mark("red", 7)})
    state = after(QWIXX, state, {})
    state = after(QWIXX, white_phase(state, (3, 4), active=0), {})
    assert after(QWIXX, state, {}).seat_sheets[0].penalties == 1


def test_a_new_turn_has_no_dice_and_continues_the_roll_numbers() -> None:
    state = QWIXX.evolve(after(QWIXX, colour_phase(crossed(2, {}), (3, 4)), {}), TurnStarted(1, 2))
    assert (state.active, state.turn, state.roll, state.dice, state.has_marked) == (1, 2, 1, None, False)


def test_before_the_first_turn_nothing_is_offered() -> None:
    assert QWIXX.options(QWIXX.opening("classic", 2), 0) == ()
    assert QWIXX.refusal(QWIXX.opening("classic", 2), 0, Roll()) == "wrong_phase"
