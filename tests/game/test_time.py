"""When a deadline passes: what silence means in each phase, once, and with which deadline the game goes on."""

from datetime import timedelta

import pytest

from games.game import play
from games.game.events import moment_of
from games.rules.actions import Mark, Pass, Roll
from tests.builders import Table, loaded, started, types

DICE = {"white1": 3, "white2": 4, "orange": 3, "yellow": 4, "purple": 5}


def _seconds_left(table: Table) -> float:
    assert table.game.deadline is not None
    return (moment_of(table.game.deadline) - moment_of(table.game.at)).total_seconds()


def _qwixx(seats: int = 2) -> Table:
    return started("qwixx", seats, dice_source=loaded(**DICE))


def _qwinto() -> Table:
    return started("qwinto", 2, dice_source=loaded(**DICE))


def test_expire_before_the_deadline_appends_nothing() -> None:
    table = _qwixx()
    table.wait(19.999999)
    assert table.do(play.expire) == ()


def test_a_deadline_is_due_at_its_exact_time() -> None:
    table = _qwixx()
    assert table.game.deadline is not None
    table.now = moment_of(table.game.deadline)
    assert types(table.do(play.expire))[0] == "time_ran_out"


def test_a_deadline_is_enforced_once() -> None:
    table = _qwixx()
    table.time_out()
    assert table.do(play.expire) == ()


def test_a_time_out_names_the_silent_seats_and_the_deadline_it_enforces() -> None:
    table = _qwixx()
    deadline = table.game.deadline
    table.wait(500)
    assert table.do(play.expire)[0].data == {"seats": [0], "deadline": deadline}


def test_a_time_out_in_phase_roll_rolls_the_dice() -> None:
    table = _qwixx()
    events = table.time_out()
    assert types(events) == ["time_ran_out", "dice_rolled"]
    assert events[1].data["seat"] == 0
    assert table.phase == "white"


def test_a_time_out_in_qwinto_rolls_all_three_dice() -> None:
    table = _qwinto()
    assert table.time_out()[1].data["dice"] == {"orange": 3, "yellow": 4, "purple": 5}


def test_a_time_out_in_phase_keep_keeps_the_dice() -> None:
    table = _qwinto()
    table.act(0, Roll(("yellow",)))
    assert types(table.time_out()) == ["time_ran_out", "dice_kept"]
    assert table.phase == "write"


def test_a_time_out_turns_missing_answers_into_passes() -> None:
    table = _qwixx(3)
    table.act(0, Roll())
    table.act(1, Mark("red", 7))
    events = table.time_out()
    assert types(events) == ["time_ran_out", "phase_closed", "cell_marked"]
    assert events[0].data["seats"] == [0, 2]
    assert [answer["seat"] for answer in events[1].data["answers"]] == [1]


def test_a_time_out_in_phase_colour_is_a_penalty() -> None:
    table = _qwixx()
    table.act(0, Roll())
    table.act(0, Pass())
    table.act(1, Pass())
    assert types(table.time_out()) == ["time_ran_out", "phase_closed", "penalty_taken", "turn_started"]


def test_a_time_out_in_phase_write_is_a_failed_throw() -> None:
    table = _qwinto()
    for _ in range(3):
        events = table.time_out()
    assert types(events)[:2] == ["time_ran_out", "seat_went_away"]
    assert "throw_failed" in types(events)


@pytest.mark.parametrize(
    ("ruleset", "limits"),
    [("qwixx", [20, 45, 45, 20]), ("qwinto", [20, 20, 45, 20])],
)
def test_roll_and_keep_run_on_the_short_clock_and_answers_on_the_long_one(ruleset: str, limits: list[int]) -> None:
    table = started(ruleset, 2, dice_source=loaded(**DICE))
    seen = [_seconds_left(table)]
    for _ in range(2):
        table.time_out()
        seen.append(_seconds_left(table))
    table.come_back(1)
    for seat in table.game.waiting_for():
        table.act(seat, Pass())
    seen.append(_seconds_left(table))
    assert seen == limits


def test_a_sealed_answer_does_not_move_the_deadline() -> None:
    table = _qwixx()
    table.act(0, Roll())
    deadline = table.game.deadline
    table.wait(10)
    table.act(0, Pass())
    assert table.game.deadline == deadline


def test_an_event_that_opens_a_phase_carries_its_deadline() -> None:
    table = _qwixx()
    (rolled,) = table.act(0, Roll())
    assert rolled.data["deadline"] == table.game.deadline
    assert moment_of(rolled.data["deadline"]) - moment_of(rolled.at) == timedelta(seconds=45)


def test_a_phase_without_silent_seats_has_no_deadline() -> None:
    table = _qwixx(3)
    table.act(0, Roll())
    table.resign(0)
    table.act(1, Pass())
    white, colour, turn = table.act(2, Pass())[1:]
    assert (white.data["deadline"], colour.data["deadline"]) == (None, None)
    assert turn.data["deadline"] == table.game.deadline is not None


def test_a_game_that_is_over_has_no_deadline() -> None:
    table = _qwixx()
    for _ in range(7):  # the seventh turn is seat 0's fourth
        table.act(table.active, Roll())
        table.act(0, Pass())
        table.act(1, Pass())
        events = table.act(table.active, Pass())
    assert events[-1].type == "game_ended"
    assert events[0].data["deadline"] is None
    assert table.game.deadline is None


def test_a_game_without_a_clock_is_never_due() -> None:
    table = started(visibility="private", clock=None)
    table.wait(10**8)
    assert table.do(play.expire) == ()
    assert table.act(table.active, Roll())


def test_times_in_the_log_increase_when_the_clock_goes_back() -> None:
    table = _qwixx()
    before = table.game.at
    table.wait(-3600)
    table.act(0, Roll())
    assert table.game.at > before


def test_a_late_answer_is_too_late_after_several_time_outs() -> None:
    table = started(seats=3, dice_source=loaded(white1=3, white2=4, red=5))
    table.act(table.active, Roll())
    white = table.active
    table.time_out()
    assert table.act_refusal(white, Pass(), 1, "white") == "too_late"
    table.time_out()
    assert table.act_refusal(white, Pass(), 1, "white") == "too_late"
    assert table.act_refusal(white, Pass(), 1, "colour") == "too_late"
