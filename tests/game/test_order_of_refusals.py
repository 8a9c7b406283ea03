"""The order of refusals when an answer breaks two rules, as in the contract."""

from datetime import timedelta

import pytest

from games.game.decisions import play
from games.game.events import moment_of
from games.rules.actions import Mark, Pass, Request, Roll
from tests.builders import ANN, CAT, GameDriver, loaded, started

LATE = 100


@pytest.fixture
def driver() -> GameDriver:
    """Seat 0 has rolled 3 and 4 for the first time: phase white asks all seats."""
    driver = started(seats=2, dice_source=loaded(white1=3, white2=4))
    driver.act(0, Roll())
    return driver


def test_game_over_is_reported_before_not_seated(driver: GameDriver) -> None:
    assert driver.refusal(play.act, CAT, Request(Pass())) == "not_seated"
    driver.resign(0)
    assert driver.refusal(play.act, CAT, Request(Pass())) == "game_over"


def test_not_seated_is_reported_before_stale_roll(driver: GameDriver) -> None:
    assert driver.refusal(play.act, CAT, Request(Pass(), roll=9)) == "not_seated"


def test_a_player_who_resigned_is_not_seated() -> None:
    driver = started(seats=3)
    driver.resign(1)
    assert driver.act_refusal(1, Roll()) == "not_seated"


def test_an_answer_before_the_start_is_of_the_wrong_phase() -> None:
    driver = GameDriver(seats=3)
    assert driver.refusal(play.act, ANN, Request(Roll())) == "wrong_phase"
    assert driver.refusal(play.act, CAT, Request(Roll())) == "not_seated"


def test_stale_roll_is_reported_before_too_late(driver: GameDriver) -> None:
    driver.wait(LATE)
    assert driver.act_refusal(1, Pass(), roll=0) == "stale_roll"
    assert driver.act_refusal(1, Pass(), roll=1) == "too_late"


def test_too_late_is_reported_before_wrong_phase(driver: GameDriver) -> None:
    driver.wait(LATE)
    assert driver.act_refusal(1, Pass(), roll=1, phase="colour") == "too_late"
    assert driver.act_refusal(1, Roll()) == "too_late"


def test_wrong_phase_is_reported_before_not_your_turn(driver: GameDriver) -> None:
    driver.act(0, Pass())
    driver.act(1, Pass())  # phase colour: seat 0 alone is asked
    assert driver.act_refusal(1, Pass(), phase="white") == "wrong_phase"
    assert driver.act_refusal(1, Roll()) == "wrong_phase"
    assert driver.act_refusal(1, Pass(), phase="colour") == "not_your_turn"


def test_not_your_turn_is_reported_before_any_rule(driver: GameDriver) -> None:
    driver.act(0, Pass())
    driver.act(1, Pass())
    assert driver.act_refusal(1, Mark("pink", 99)) == "not_your_turn"
    assert driver.act_refusal(0, Mark("pink", 99)) == "no_such_row"


def test_stale_roll_is_reported_before_wrong_phase(driver: GameDriver) -> None:
    assert driver.act_refusal(1, Roll(), roll=0, phase="roll") == "stale_roll"


def test_a_future_roll_is_stale(driver: GameDriver) -> None:
    assert driver.act_refusal(1, Pass(), roll=2) == "stale_roll"


def test_an_answer_is_too_late_from_the_deadline_on(driver: GameDriver) -> None:
    assert driver.game.deadline is not None
    driver.now = moment_of(driver.game.deadline) - timedelta(microseconds=1)
    assert driver.act(1, Pass())
    driver.wait(0.000001)
    assert driver.act_refusal(1, Mark("red", 7)) == "too_late"


def test_an_answer_to_a_phase_that_time_has_closed_is_too_late(driver: GameDriver) -> None:
    driver.time_out()
    assert driver.phase == "colour"
    assert driver.act_refusal(1, Mark("red", 7), roll=1, phase="white") == "too_late"
    assert driver.act_refusal(0, Mark("red", 7), phase="white") == "too_late"


def test_an_answer_to_a_phase_that_answers_have_closed_is_of_the_wrong_phase(driver: GameDriver) -> None:
    driver.act(0, Pass())
    driver.act(1, Pass())
    assert driver.act_refusal(0, Mark("red", 7), roll=1, phase="white") == "wrong_phase"


def test_the_phase_after_a_time_out_accepts_answers(driver: GameDriver) -> None:
    driver.time_out()
    assert driver.act(0, Pass(), roll=1, phase="colour")


def test_a_late_answer_does_not_count_for_the_next_roll(driver: GameDriver) -> None:
    driver.time_out()
    driver.time_out()
    driver.act(1, Roll())
    assert driver.act_refusal(0, Mark("red", 7), roll=1, phase="white") == "stale_roll"


def test_an_answer_without_roll_and_phase_counts_for_the_open_phase(driver: GameDriver) -> None:
    assert driver.act(1, Mark("red", 7))
