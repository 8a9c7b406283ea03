"""Deadlines: what a time-out means in each phase, and the next deadline."""

from datetime import timedelta

import pytest

from games.game.decisions import expiry
from games.game.events import moment_of
from games.rules.actions import Mark, Pass, Roll
from tests.builders import GameDriver, loaded, started, types

DICE = {"white1": 3, "white2": 4, "orange": 3, "yellow": 4, "purple": 5}


def _seconds_left(driver: GameDriver) -> float:
    assert driver.game.deadline is not None
    return (moment_of(driver.game.deadline) - moment_of(driver.game.at)).total_seconds()


def _qwixx(seats: int = 2) -> GameDriver:
    return started("qwixx", seats, dice_source=loaded(**DICE))


def _qwinto() -> GameDriver:
    return started("qwinto", 2, dice_source=loaded(**DICE))


def test_expire_before_the_deadline_appends_nothing() -> None:
    driver = _qwixx()
    driver.wait(19.999999)
    assert driver.do(expiry.expire) == ()


def test_a_deadline_is_due_at_its_exact_time() -> None:
    driver = _qwixx()
    assert driver.game.deadline is not None
    driver.now = moment_of(driver.game.deadline)
    assert types(driver.do(expiry.expire))[0] == "time_ran_out"


def test_a_deadline_is_enforced_once() -> None:
    driver = _qwixx()
    driver.time_out()
    assert driver.do(expiry.expire) == ()


def test_a_time_out_names_the_silent_seats_and_the_deadline_it_enforces() -> None:
    driver = _qwixx()
    deadline = driver.game.deadline
    driver.wait(500)
    assert driver.do(expiry.expire)[0].data == {"seats": [0], "deadline": deadline}


def test_a_time_out_in_phase_roll_rolls_the_dice() -> None:
    driver = _qwixx()
    events = driver.time_out()
    assert types(events) == ["time_ran_out", "dice_rolled"]
    assert events[1].data["seat"] == 0
    assert driver.phase == "white"


def test_a_time_out_in_qwinto_rolls_all_three_dice() -> None:
    driver = _qwinto()
    assert driver.time_out()[1].data["dice"] == {"orange": [3], "yellow": [4], "purple": [5]}


def test_a_time_out_in_phase_keep_keeps_the_dice() -> None:
    driver = _qwinto()
    driver.act(0, Roll(("yellow",)))
    assert types(driver.time_out()) == ["time_ran_out", "dice_kept"]
    assert driver.phase == "write"


def test_a_time_out_turns_missing_answers_into_passes() -> None:
    driver = _qwixx(3)
    driver.act(0, Roll())
    driver.act(1, Mark("red", 7))
    events = driver.time_out()
    assert types(events) == ["time_ran_out", "phase_closed", "cell_marked"]
    assert events[0].data["seats"] == [0, 2]
    assert [answer["seat"] for answer in events[1].data["answers"]] == [1]


def test_a_time_out_in_phase_colour_is_a_penalty() -> None:
    driver = _qwixx()
    driver.act(0, Roll())
    driver.act(0, Pass())
    driver.act(1, Pass())
    assert types(driver.time_out()) == ["time_ran_out", "phase_closed", "penalty_taken", "turn_started"]


def test_a_time_out_in_phase_write_is_a_failed_throw() -> None:
    driver = _qwinto()
    for _ in range(3):
        events = driver.time_out()
    assert types(events)[:2] == ["time_ran_out", "seat_went_away"]
    assert "throw_failed" in types(events)


@pytest.mark.parametrize(
    ("ruleset", "limits"),
    [("qwixx", [20, 45, 45, 20]), ("qwinto", [20, 20, 45, 20])],
)
def test_roll_and_keep_run_on_the_short_clock_and_answers_on_the_long_one(ruleset: str, limits: list[int]) -> None:
    driver = started(ruleset, 2, dice_source=loaded(**DICE))
    seen = [_seconds_left(driver)]
    for _ in range(2):
        driver.time_out()
        seen.append(_seconds_left(driver))
    driver.come_back(1)
    for seat in driver.game.waiting_for():
        driver.act(seat, Pass())
    seen.append(_seconds_left(driver))
    assert seen == limits


def test_a_sealed_answer_does_not_move_the_deadline() -> None:
    driver = _qwixx()
    driver.act(0, Roll())
    deadline = driver.game.deadline
    driver.wait(10)
    driver.act(0, Pass())
    assert driver.game.deadline == deadline


def test_an_event_that_opens_a_phase_carries_its_deadline() -> None:
    driver = _qwixx()
    (rolled,) = driver.act(0, Roll())
    assert rolled.data["deadline"] == driver.game.deadline
    assert moment_of(rolled.data["deadline"]) - moment_of(rolled.at) == timedelta(seconds=45)


def test_a_phase_without_silent_seats_has_no_deadline() -> None:
    driver = _qwixx(3)
    driver.act(0, Roll())
    driver.resign(0)
    driver.act(1, Pass())
    white, colour, turn = driver.act(2, Pass())[1:]
    assert (white.data["deadline"], colour.data["deadline"]) == (None, None)
    assert turn.data["deadline"] == driver.game.deadline is not None


def test_a_game_that_is_over_has_no_deadline() -> None:
    driver = _qwixx()
    for _ in range(7):  # the seventh turn is seat 0's fourth
        driver.act(driver.active, Roll())
        driver.act(0, Pass())
        driver.act(1, Pass())
        events = driver.act(driver.active, Pass())
    assert events[-1].type == "game_ended"
    assert events[0].data["deadline"] is None
    assert driver.game.deadline is None


def test_a_game_without_a_clock_is_never_due() -> None:
    driver = started(visibility="private", clock=None)
    driver.wait(10**8)
    assert driver.do(expiry.expire) == ()
    assert driver.act(driver.active, Roll())


def test_times_in_the_log_increase_when_the_clock_goes_back() -> None:
    driver = _qwixx()
    before = driver.game.at
    driver.wait(-3600)
    driver.act(0, Roll())
    assert driver.game.at > before


def test_a_late_answer_is_too_late_after_several_time_outs() -> None:
    driver = started(seats=3, dice_source=loaded(white1=3, white2=4, red=5))
    driver.act(driver.active, Roll())
    white = driver.active
    driver.time_out()
    assert driver.act_refusal(white, Pass(), 1, "white") == "too_late"
    driver.time_out()
    assert driver.act_refusal(white, Pass(), 1, "white") == "too_late"
    assert driver.act_refusal(white, Pass(), 1, "colour") == "too_late"
