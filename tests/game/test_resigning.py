"""Leaving during play: what becomes of the turn, of a sealed answer, and of the game."""

import pytest

from games.game import lobby, play
from games.game.aggregate import ABORTED, FINISHED, PLAYING, RESIGNED
from games.rules.actions import Keep, Mark, Pass, Reroll, Roll, Write
from tests.builders import ANN, BEN, Table, loaded, started, types

DICE = {"white1": 3, "white2": 4, "red": 5, "orange": 3, "yellow": 4, "purple": 5}


def _qwixx(seats: int = 3) -> Table:
    return started("qwixx", seats, dice_source=loaded(**DICE))


def _qwinto(seats: int = 3) -> Table:
    return started("qwinto", seats, dice_source=loaded(**DICE))


def test_leaving_during_play_is_a_resignation() -> None:
    table = _qwixx()
    assert types(table.do(lobby.leave, BEN)) == ["seat_resigned"]
    assert table.state(1) == RESIGNED


def test_resigning_in_phase_roll_ends_the_turn_without_penalty() -> None:
    table = _qwixx()
    resigned, turn = table.resign(0)
    assert (resigned.type, turn.data["seat"], turn.data["turn"]) == ("seat_resigned", 1, 2)
    assert table.game.position.seat_sheets[0].penalties == 0


def test_resigning_in_phase_keep_keeps_the_dice() -> None:
    table = _qwinto()
    table.act(0, Roll(("yellow",)))
    assert types(table.resign(0)) == ["seat_resigned", "dice_kept"]
    assert (table.phase, table.game.waiting_for()) == ("write", (1, 2))
    assert Write("yellow", 1) in play.options(table.game, 1)


def test_resigning_in_phase_colour_is_a_pass_without_penalty() -> None:
    table = _qwixx()
    table.act(0, Roll())
    for seat in range(3):
        table.act(seat, Pass())
    assert types(table.resign(0)) == ["seat_resigned", "phase_closed", "turn_started"]
    assert table.game.position.seat_sheets[0].penalties == 0
    assert table.active == 1


@pytest.mark.parametrize("action", [Mark("red", 7), Mark("blue", 7)])
def test_a_sealed_answer_counts_after_its_seat_resigns(action: Mark) -> None:
    table = _qwixx()
    table.act(0, Roll())
    table.act(1, action)
    table.resign(1)
    table.act(0, Pass())
    marked = [event.data for event in table.act(2, Pass()) if event.type == "cell_marked"]
    assert marked == [{"seat": 1, "row": action.row, "number": 7, "phase": "white"}]


def test_an_active_seat_that_resigns_in_phase_white_is_not_asked_for_colour() -> None:
    table = _qwixx()
    table.act(0, Roll())
    table.resign(0)
    table.act(1, Pass())
    events = table.act(2, Pass())
    assert types(events) == ["answer_sealed", "phase_closed", "phase_closed", "turn_started"]
    assert [event.data["phase"] for event in events[1:3]] == ["white", "colour"]
    assert table.game.position.seat_sheets[0].penalties == 0


def test_an_active_seat_that_resigns_in_phase_write_without_an_answer_takes_no_failed_throw() -> None:
    table = _qwinto()
    table.act(0, Roll(("yellow",)))
    table.act(0, Keep())
    table.resign(0)
    table.act(1, Pass())
    assert types(table.act(2, Pass())) == ["answer_sealed", "phase_closed", "turn_started"]


def test_the_resignation_of_the_last_silent_seat_closes_the_phase() -> None:
    table = _qwixx()
    table.act(0, Roll())
    table.act(0, Mark("red", 7))
    table.act(1, Pass())
    assert types(table.resign(2)) == ["seat_resigned", "phase_closed", "cell_marked"]
    assert table.phase == "colour"


def test_a_resigned_seat_has_no_more_turns() -> None:
    table = _qwixx()
    table.resign(1)
    table.act(0, Roll())
    table.act(0, Pass())
    table.act(2, Pass())
    table.act(0, Pass())
    assert table.active == 2


def test_a_resigned_seat_has_no_options() -> None:
    table = _qwixx()
    table.act(0, Roll())
    table.resign(1)
    assert play.options(table.game, 1) == ()


def test_a_game_left_with_one_seat_ends_and_that_seat_wins() -> None:
    table = _qwixx(2)
    resigned, ended = table.resign(0)
    assert (resigned.type, ended.type, ended.data["reason"]) == ("seat_resigned", "game_ended", "last_seat_standing")
    assert table.ranks == {1: 1, 0: 2}
    assert (table.game.status, table.game.deadline) == (FINISHED, None)


def test_the_last_but_one_of_several_to_resign_ends_the_game() -> None:
    table = _qwixx(3)
    assert table.resign(0)[-1].type == "turn_started"
    assert table.resign(2)[-1].data["reason"] == "last_seat_standing"


def test_a_game_without_players_is_aborted() -> None:
    table = Table(seats=3, bots=("easy", "easy"))
    resigned, aborted = table.resign(0)
    assert (resigned.type, aborted.type) == ("seat_resigned", "game_aborted")
    assert aborted.data["server_seed"] == table.secret.hex()
    assert (table.game.status, table.game.waiting_for()) == (ABORTED, ())


def test_a_bot_that_is_left_alone_wins() -> None:
    table = Table(seats=2, bots=("easy",))
    assert table.resign(0)[-1].data["reason"] == "last_seat_standing"


def test_one_player_and_one_bot_continue_when_another_player_resigns() -> None:
    table = Table(seats=3, bots=("easy",), dice_source=loaded(first=0))
    table.join(BEN)
    table.resign(0)
    assert table.game.status == PLAYING


def test_a_player_may_resign_at_any_time() -> None:
    table = _qwixx()
    table.wait(1000)
    assert types(table.resign(2)) == ["seat_resigned"]


def test_the_reroll_is_gone_when_its_seat_resigns() -> None:
    table = _qwinto()
    table.act(0, Roll(("yellow",)))
    table.resign(0)
    assert table.act_refusal(1, Reroll()) == "wrong_phase"


def test_a_player_cannot_resign_twice() -> None:
    table = _qwixx()
    table.resign(0)
    assert table.refusal(play.resign, ANN) == "not_seated"


def test_a_sealed_answer_counts_when_the_last_opponent_resigns() -> None:
    table = _qwixx(2)
    table.act(0, Roll())
    table.act(1, Mark("red", 7))
    events = table.resign(0)
    assert types(events) == ["seat_resigned", "phase_closed", "cell_marked", "game_ended"]
    assert [answer["seat"] for answer in events[1].data["answers"]] == [1]
    assert [(rank["seat"], rank["points"]) for rank in events[-1].data["ranking"]] == [(1, 1), (0, 0)]
