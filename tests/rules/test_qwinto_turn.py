"""Rule 2.3: the turn of Qwinto: chosen dice, one reroll, the answers of all seats, failed throws."""

from itertools import combinations

import pytest

from games.rules.actions import Keep, Pass, Reroll, Roll, Write
from games.rules.facts import DiceKept, DiceRolled, PhaseClosed, TurnStarted
from games.rules.qwinto import QWINTO, NumberWritten, ThrowFailed, rolled_sum
from tests.rules.positions import ChosenDice, after, facts_of, keep_phase, thrown, write_phase, written

ROLLING = QWINTO.evolve(QWINTO.opening("classic", 2), TurnStarted(0, 1))


def test_the_active_player_chooses_one_two_or_three_dice() -> None:
    colours = ("orange", "yellow", "purple")
    choices = [set(dice) for count in (1, 2, 3) for dice in combinations(colours, count)]
    offered = [set(action.dice) for action in QWINTO.options(ROLLING, 0) if isinstance(action, Roll)]
    assert offered == choices
    assert QWINTO.options(ROLLING, 1) == ()


@pytest.mark.parametrize("dice", [(), ("pink",), ("yellow", "yellow"), ("orange", "white1")])
def test_a_choice_of_no_dice_unknown_dice_or_the_same_die_twice_is_refused(dice: tuple[str, ...]) -> None:
    assert QWINTO.refusal(ROLLING, 0, Roll(dice)) == "choose_dice"


def test_dice_may_be_named_in_any_order() -> None:
    assert QWINTO.refusal(ROLLING, 0, Roll(("purple", "orange", "yellow"))) is None
    rolled = thrown(QWINTO, ROLLING, Roll(("purple", "orange")), orange=2, purple=5)
    assert rolled == DiceRolled(0, 1, {"orange": [2], "purple": [5]})


def test_only_the_chosen_dice_are_rolled() -> None:
    assert thrown(QWINTO, ROLLING, Roll(("yellow",)), yellow=3).dice == {"yellow": [3]}


def test_after_the_roll_the_active_player_keeps_or_rerolls() -> None:
    state = keep_phase(written(2, {}), yellow=2, purple=4)
    assert QWINTO.options(state, 0) == (Keep(), Reroll())
    assert QWINTO.options(state, 1) == ()
    assert QWINTO.refusal(state, 1, Keep()) == "not_your_turn"


def test_the_reroll_rolls_the_same_dice_and_its_result_counts() -> None:
    """Linus rolls yellow and purple, 2 and 4; after the reroll 4 and 5: nine, in yellow or in purple, not in orange."""
    state = keep_phase(written(2, {}), yellow=2, purple=4)
    rolled = thrown(QWINTO, state, Reroll(), yellow=4, purple=5)
    assert rolled == DiceRolled(0, 2, {"yellow": [4], "purple": [5]})
    state = QWINTO.evolve(state, rolled)
    assert rolled_sum(state) == 9
    assert QWINTO.refusal(state, 0, Reroll()) == "wrong_phase"
    assert {action.row for action in QWINTO.options(state, 0) if isinstance(action, Write)} == {"yellow", "purple"}
    assert QWINTO.refusal(state, 0, Write("orange", 3)) == "row_not_rolled"


def test_kept_dice_are_for_all_seats() -> None:
    state = keep_phase(written(3, {}), active=1, orange=3)
    assert QWINTO.decide(state, {1: Keep()}, ChosenDice()) == (DiceKept(1),)
    state = after(QWINTO, state, {1: Keep()})
    assert all(Write("orange", 2) in QWINTO.options(state, seat) for seat in range(3))


def test_all_seats_write_the_sum_or_pass_at_once() -> None:
    state = write_phase(written(3, {}), active=1, orange=3, yellow=6)
    assert facts_of(QWINTO, state, {2: Write("yellow", 3), 0: Write("orange", 4), 1: Write("orange", 2)}) == (
        PhaseClosed("write"),
        NumberWritten(0, "orange", 4, 9),
        NumberWritten(1, "orange", 2, 9),
        NumberWritten(2, "yellow", 3, 9),
    )


def test_an_active_player_who_writes_nothing_takes_a_failed_throw() -> None:
    state = after(QWINTO, write_phase(written(3, {}), active=1, orange=3), {0: Write("orange", 2)})
    assert [sheet.fails for sheet in state.seat_sheets] == [0, 1, 0]


def test_an_active_player_who_could_not_write_takes_a_failed_throw() -> None:
    full = {"orange": {2: 1, 3: 2, 4: 3, 6: 4, 7: 5, 8: 6, 9: 7, 10: 8, 11: 9}}
    state = write_phase(written(2, {0: full}), orange=3)
    assert QWINTO.options(state, 0) == (Pass(),)
    assert after(QWINTO, state, {}).seat_sheets[0].fails == 1


def test_a_number_written_by_the_active_player_is_no_failed_throw() -> None:
    state = write_phase(written(2, {}), orange=3)
    assert ThrowFailed(0) not in facts_of(QWINTO, state, {0: Write("orange", 2)})


def test_the_turn_is_over_when_all_have_answered() -> None:
    state = after(QWINTO, write_phase(written(2, {}), orange=3), {})
    assert [QWINTO.options(state, seat) for seat in (0, 1)] == [(), ()]


def test_a_new_turn_has_no_dice_and_continues_the_roll_numbers() -> None:
    state = after(QWINTO, write_phase(written(2, {}), orange=3), {})
    state = QWINTO.evolve(state, TurnStarted(1, 2))
    assert (state.active, state.turn, state.roll, state.dice) == (1, 2, 1, None)
