"""Answers in a phase of all seats: sealed and replaceable until the last one, then revealed and applied together."""

import pytest

from games.game.decisions import play
from games.game.decisions.play import REPLACEMENTS
from games.game.event_types import by_name
from games.rules.actions import Mark, Pass, Request, Roll
from tests.builders import GameDriver, loaded, started, types

DICE = {"white1": 3, "white2": 4, "red": 5}
SEVENS = [Mark(row, 7) for row in ("red", "yellow", "green", "blue")]


@pytest.fixture
def driver() -> GameDriver:
    """Three seats, seat 0 has rolled 3 and 4, red 5: all seats are asked."""
    driver = started(seats=3, dice_source=loaded(**DICE))
    driver.act(0, Roll())
    return driver


def test_an_answer_that_is_not_the_last_is_only_sealed(driver: GameDriver) -> None:
    (sealed,) = driver.act(1, SEVENS[0])
    action = {"type": "mark", "row": "red", "number": 7}
    assert sealed.data == {"seat": 1, "action": action, "nonce": driver.game.sealed[0].nonce}
    assert len(sealed.data["nonce"]) == 32
    assert driver.game.position.seat_sheets[1].marks == (0, 0, 0, 0)


def test_all_fields_of_a_sealed_answer_but_its_seat_are_secret(driver: GameDriver) -> None:
    (sealed,) = driver.act(1, Pass())
    assert set(by_name(sealed.type).secret_fields) == set(sealed.data) - {"seat"}


def test_the_game_does_not_wait_for_a_seat_that_has_answered(driver: GameDriver) -> None:
    driver.act(1, Pass())
    assert driver.game.waiting_for() == (0, 2)


def test_the_last_answer_reveals_and_applies_all_answers_in_one_append(driver: GameDriver) -> None:
    driver.act(2, SEVENS[1])
    driver.act(0, SEVENS[0])
    events = driver.act(1, Pass())
    assert types(events) == ["answer_sealed", "phase_closed", "cell_marked", "cell_marked"]
    assert [answer["seat"] for answer in events[1].data["answers"]] == [2, 0, 1]
    assert [event.data["seat"] for event in events[2:]] == [0, 2]
    assert driver.game.sealed == ()


def test_a_revealed_answer_names_the_version_under_which_it_was_sealed(driver: GameDriver) -> None:
    versions = [driver.act(seat, Pass())[0].version for seat in (2, 0)]
    sealed, closed = driver.act(1, Pass())[:2]
    assert [answer["version"] for answer in closed.data["answers"]] == [*versions, sealed.version]
    for answer in closed.data["answers"]:
        stored = driver.log[answer["version"] - 1].data
        assert stored == {key: answer[key] for key in ("seat", "action", "nonce")}


def test_an_answer_may_be_replaced_until_the_phase_closes(driver: GameDriver) -> None:
    driver.act(1, SEVENS[0])
    driver.act(1, SEVENS[1])
    assert driver.game.answers()[1] == SEVENS[1]
    driver.act(0, Pass())
    events = driver.act(2, Pass())
    assert [answer["seat"] for answer in events[1].data["answers"]] == [1, 1, 0, 2]  # replaced ones included
    assert [event.data["row"] for event in events if event.type == "cell_marked"] == ["yellow"]


def test_only_the_latest_answer_of_a_seat_counts(driver: GameDriver) -> None:
    for action in (SEVENS[0], Pass()):
        driver.act(1, action)
    driver.act(0, Pass())
    driver.act(2, Pass())
    assert driver.game.position.seat_sheets[1].marks == (0, 0, 0, 0)


def test_a_repeated_answer_appends_nothing(driver: GameDriver) -> None:
    driver.act(1, SEVENS[0])
    assert driver.act(1, SEVENS[0]) == ()


def test_an_answer_cannot_be_replaced_after_the_phase_has_closed(driver: GameDriver) -> None:
    for seat in range(3):
        driver.act(seat, Pass(), phase="white")
    assert driver.act_refusal(1, SEVENS[0], phase="white") == "wrong_phase"


def _replace_often(driver: GameDriver, times: int) -> None:
    for time in range(times + 1):
        driver.act(1, SEVENS[time % 2])


def test_the_twenty_first_replacement_is_refused(driver: GameDriver) -> None:
    _replace_often(driver, REPLACEMENTS)
    assert driver.act_refusal(1, Pass()) == "too_many_requests"


def test_the_twentieth_replacement_is_accepted(driver: GameDriver) -> None:
    _replace_often(driver, REPLACEMENTS - 1)
    assert types(driver.act(1, Pass())) == ["answer_sealed"]


def test_a_broken_rule_is_reported_before_used_up_replacements(driver: GameDriver) -> None:
    _replace_often(driver, REPLACEMENTS)
    assert driver.act_refusal(1, Mark("red", 8)) == "number_not_rolled"


def test_after_twenty_replacements_only_the_current_answer_is_offered_and_accepted(driver: GameDriver) -> None:
    _replace_often(driver, REPLACEMENTS)
    assert play.options(driver.game, 1) == (SEVENS[REPLACEMENTS % 2],)
    assert driver.act(1, SEVENS[REPLACEMENTS % 2]) == ()


def test_replacements_are_counted_for_each_seat_and_each_phase(driver: GameDriver) -> None:
    _replace_often(driver, REPLACEMENTS)
    assert len(play.options(driver.game, 2)) == 5
    driver.act(0, Pass())
    driver.act(2, Pass())  # white closes
    driver.act(0, Pass())  # colour closes
    driver.act(1, Roll())
    assert len(play.options(driver.game, 1)) == 4  # red 7 is crossed


def test_answers_of_the_colour_phase_are_not_sealed(driver: GameDriver) -> None:
    for seat in range(3):
        driver.act(seat, Pass())
    assert driver.phase == "colour"
    events = driver.act(0, Mark("red", 8))
    assert types(events) == ["phase_closed", "cell_marked", "turn_started"]
    assert events[0].data["answers"] is None


def test_answers_of_different_seats_never_refuse_each_other(driver: GameDriver) -> None:
    known = driver.game.position.roll
    for seat in (2, 1, 0):
        assert driver.act(seat, SEVENS[seat], roll=known, phase="white")


def test_a_seat_that_can_only_pass_is_still_asked() -> None:
    driver = started(seats=2, dice_source=loaded(white1=6, white2=6))
    driver.act(0, Roll())
    driver.act(0, Mark("green", 12))
    driver.act(1, Mark("green", 12))
    driver.act(0, Pass())
    driver.act(1, Roll())  # 6 and 6 again
    driver.act(0, Mark("blue", 12))
    driver.act(1, Mark("blue", 12))
    driver.act(1, Pass())
    driver.act(0, Roll())
    assert play.options(driver.game, 0) == play.options(driver.game, 1) == (Pass(),)
    assert driver.game.waiting_for() == (0, 1)


def test_a_refusal_appends_nothing(driver: GameDriver) -> None:
    version = driver.game.version
    driver.act_refusal(1, Mark("red", 8))
    assert (driver.game.version, driver.log[-1].version) == (version, version)
    assert isinstance(play.refusal(driver.game, 1, Request(Mark("red", 8))), str)
