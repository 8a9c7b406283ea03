"""Resigning during play: the turn, sealed answers, and the end of the game."""

import pytest

from games.game.aggregate import ABORTED, FINISHED, PLAYING, RESIGNED
from games.game.decisions import lobby, play
from games.rules.actions import Keep, Mark, Pass, Reroll, Roll, Write
from tests.builders import ANN, BEN, GameDriver, loaded, started, types

DICE = {"white1": 3, "white2": 4, "red": 5, "orange": 3, "yellow": 4, "purple": 5}


def _qwixx(seats: int = 3) -> GameDriver:
    return started("qwixx", seats, dice_source=loaded(**DICE))


def _qwinto(seats: int = 3) -> GameDriver:
    return started("qwinto", seats, dice_source=loaded(**DICE))


def test_leaving_during_play_is_a_resignation() -> None:
    driver = _qwixx()
    assert types(driver.do(lobby.leave, BEN)) == ["seat_resigned"]
    assert driver.state(1) == RESIGNED


def test_resigning_in_phase_roll_ends_the_turn_without_penalty() -> None:
    driver = _qwixx()
    resigned, turn = driver.resign(0)
    assert (resigned.type, turn.data["seat"], turn.data["turn"]) == ("seat_resigned", 1, 2)
    assert driver.game.position.seat_sheets[0].penalties == 0


def test_resigning_in_phase_keep_keeps_the_dice() -> None:
    driver = _qwinto()
    driver.act(0, Roll(("yellow",)))
    assert types(driver.resign(0)) == ["seat_resigned", "dice_kept"]
    assert (driver.phase, driver.game.waiting_for()) == ("write", (1, 2))
    assert Write("yellow", 1) in play.options(driver.game, 1)


def test_resigning_in_phase_colour_is_a_pass_without_penalty() -> None:
    driver = _qwixx()
    driver.act(0, Roll())
    for seat in range(3):
        driver.act(seat, Pass())
    assert types(driver.resign(0)) == ["seat_resigned", "phase_closed", "turn_started"]
    assert driver.game.position.seat_sheets[0].penalties == 0
    assert driver.active == 1


@pytest.mark.parametrize("action", [Mark("red", 7), Mark("blue", 7)])
def test_a_sealed_answer_counts_after_its_seat_resigns(action: Mark) -> None:
    driver = _qwixx()
    driver.act(0, Roll())
    driver.act(1, action)
    driver.resign(1)
    driver.act(0, Pass())
    marked = [event.data for event in driver.act(2, Pass()) if event.type == "cell_marked"]
    assert marked == [{"seat": 1, "row": action.row, "number": 7, "phase": "white"}]


def test_an_active_seat_that_resigns_in_phase_white_is_not_asked_for_colour() -> None:
    driver = _qwixx()
    driver.act(0, Roll())
    driver.resign(0)
    driver.act(1, Pass())
    events = driver.act(2, Pass())
    assert types(events) == ["answer_sealed", "phase_closed", "phase_closed", "turn_started"]
    assert [event.data["phase"] for event in events[1:3]] == ["white", "colour"]
    assert driver.game.position.seat_sheets[0].penalties == 0


def test_an_active_seat_that_resigns_in_phase_write_without_an_answer_takes_no_failed_throw() -> None:
    driver = _qwinto()
    driver.act(0, Roll(("yellow",)))
    driver.act(0, Keep())
    driver.resign(0)
    driver.act(1, Pass())
    assert types(driver.act(2, Pass())) == ["answer_sealed", "phase_closed", "turn_started"]


def test_the_resignation_of_the_last_silent_seat_closes_the_phase() -> None:
    driver = _qwixx()
    driver.act(0, Roll())
    driver.act(0, Mark("red", 7))
    driver.act(1, Pass())
    assert types(driver.resign(2)) == ["seat_resigned", "phase_closed", "cell_marked"]
    assert driver.phase == "colour"


def test_a_resigned_seat_has_no_more_turns() -> None:
    driver = _qwixx()
    driver.resign(1)
    driver.act(0, Roll())
    driver.act(0, Pass())
    driver.act(2, Pass())
    driver.act(0, Pass())
    assert driver.active == 2


def test_a_resigned_seat_has_no_options() -> None:
    driver = _qwixx()
    driver.act(0, Roll())
    driver.resign(1)
    assert play.options(driver.game, 1) == ()


def test_a_game_left_with_one_seat_ends_and_that_seat_wins() -> None:
    driver = _qwixx(2)
    resigned, ended = driver.resign(0)
    assert (resigned.type, ended.type, ended.data["reason"]) == ("seat_resigned", "game_ended", "last_seat_standing")
    assert driver.ranks == {1: 1, 0: 2}
    assert (driver.game.status, driver.game.deadline) == (FINISHED, None)


def test_the_last_but_one_of_several_to_resign_ends_the_game() -> None:
    driver = _qwixx(3)
    assert driver.resign(0)[-1].type == "turn_started"
    assert driver.resign(2)[-1].data["reason"] == "last_seat_standing"


def test_a_game_without_players_is_aborted() -> None:
    driver = GameDriver(seats=3, bots=("easy", "easy"))
    resigned, aborted = driver.resign(0)
    assert (resigned.type, aborted.type) == ("seat_resigned", "game_aborted")
    assert aborted.data["server_seed"] == driver.secret.hex()
    assert (driver.game.status, driver.game.waiting_for()) == (ABORTED, ())


def test_a_bot_that_is_left_alone_wins() -> None:
    driver = GameDriver(seats=2, bots=("easy",))
    assert driver.resign(0)[-1].data["reason"] == "last_seat_standing"


def test_one_player_and_one_bot_continue_when_another_player_resigns() -> None:
    driver = GameDriver(seats=3, bots=("easy",), dice_source=loaded(first=0))
    driver.join(BEN)
    driver.resign(0)
    assert driver.game.status == PLAYING


def test_a_player_may_resign_at_any_time() -> None:
    driver = _qwixx()
    driver.wait(1000)
    assert types(driver.resign(2)) == ["seat_resigned"]


def test_the_reroll_is_gone_when_its_seat_resigns() -> None:
    driver = _qwinto()
    driver.act(0, Roll(("yellow",)))
    driver.resign(0)
    assert driver.act_refusal(1, Reroll()) == "wrong_phase"


def test_a_player_cannot_resign_twice() -> None:
    driver = _qwixx()
    driver.resign(0)
    assert driver.refusal(play.resign, ANN) == "not_seated"


def test_a_sealed_answer_counts_when_the_last_opponent_resigns() -> None:
    driver = _qwixx(2)
    driver.act(0, Roll())
    driver.act(1, Mark("red", 7))
    events = driver.resign(0)
    assert types(events) == ["seat_resigned", "phase_closed", "cell_marked", "game_ended"]
    assert [answer["seat"] for answer in events[1].data["answers"]] == [1]
    assert [(rank["seat"], rank["points"]) for rank in events[-1].data["ranking"]] == [(1, 1), (0, 0)]
