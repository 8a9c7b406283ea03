"""The preview of an answer, which shows only what its author may know."""

import pytest

from games.game.decisions import play
from games.rules.actions import Action, Keep, Mark, Pass, Request, Reroll, Resign, Return, Roll, Write
from games.rules.qwinto import NumberWritten, ThrowFailed
from games.rules.qwixx import CellMarked, PenaltyTaken, RowClosed
from tests.builders import ANN, CAT, GameDriver, loaded, started

DICE = {"white1": 3, "white2": 4, "red": 5, "orange": 3}


def _qwixx() -> GameDriver:
    driver = started(dice_source=loaded(**DICE))
    driver.act(0, Roll())
    return driver


def _preview(driver: GameDriver, seat: int, action: Action) -> tuple[list[object], int, int]:
    return play.preview(driver.game, driver.player(seat), Request(action), driver.moment)


def test_a_mark_is_previewed_with_the_points_before_and_after() -> None:
    assert _preview(_qwixx(), 1, Mark("red", 7)) == ([CellMarked(1, "red", 7, "white")], 0, 1)


def test_the_preview_of_a_pass_by_a_seat_that_is_not_active_costs_nothing() -> None:
    assert _preview(_qwixx(), 1, Pass()) == ([], 0, 0)


def test_the_penalty_of_a_pass_in_colour_is_previewed() -> None:
    driver = _qwixx()
    for seat in (0, 1):
        driver.act(seat, Pass())
    assert _preview(driver, 0, Pass()) == ([PenaltyTaken(0)], 0, -5)


def test_a_preview_ignores_the_answers_of_other_seats() -> None:
    driver = _qwixx()
    before = _preview(driver, 1, Mark("red", 7))
    driver.act(0, Mark("red", 7))
    assert _preview(driver, 1, Mark("red", 7)) == before


def test_a_lock_is_previewed() -> None:
    driver = started(dice_source=loaded(white1=6, white2=6))
    driver.act(0, Roll())
    sheets = tuple(sheet._replace(marks=(0b11111, 0, 0, 0)) for sheet in driver.game.position.seat_sheets)
    driver.game = driver.game._replace(position=driver.game.position._replace(seat_sheets=sheets))
    assert _preview(driver, 1, Mark("red", 12)) == ([CellMarked(1, "red", 12, "white"), RowClosed("red", (1,))], 15, 28)


def test_a_written_number_and_a_failed_throw_are_previewed() -> None:
    driver = started("qwinto", dice_source=loaded(**DICE))
    driver.act(0, Roll(("orange",)))
    assert _preview(driver, 0, Keep()) == ([], 0, 0)
    driver.act(0, Keep())
    assert _preview(driver, 0, Write("orange", 2)) == ([NumberWritten(0, "orange", 2, 3)], 0, 1)
    assert _preview(driver, 0, Pass()) == ([ThrowFailed(0)], 0, -5)


@pytest.mark.parametrize("action", [Roll(), Reroll(), Resign(), Return()], ids=lambda action: type(action).__name__)
def test_actions_that_roll_dice_or_leave_are_not_previewed(action: Action) -> None:
    driver = _qwixx()
    assert driver.refusal(play.preview, ANN, Request(action)) == "malformed"
    driver.resign(0)
    assert driver.refusal(play.preview, ANN, Request(action)) == "malformed"  # said before the game's state


def test_a_preview_is_refused_as_the_answer_would_be() -> None:
    driver = _qwixx()
    assert driver.refusal(play.preview, ANN, Request(Mark("red", 8))) == "number_not_rolled"
    assert driver.refusal(play.preview, ANN, Request(Pass(), roll=9)) == "stale_roll"
    assert driver.refusal(play.preview, CAT, Request(Pass())) == "not_seated"
    driver.wait(100)
    assert driver.refusal(play.preview, ANN, Request(Pass())) == "too_late"


def test_a_preview_appends_nothing() -> None:
    driver = _qwixx()
    game = driver.game
    _preview(driver, 1, Mark("red", 7))
    assert driver.game is game
