"""Absence costs what presence would: the box for a turn without a mark, but never the last box (both games)."""

from functools import reduce

import pytest

from games.game.aggregate import ABORTED, AWAY, PLAYING, RESIGNED
from games.rules.actions import Action, Keep, Mark, Pass, Roll, Write
from tests.builders import GameDriver, loaded, started, types

DICE = {"white1": 3, "white2": 4, "red": 5, "orange": 3, "yellow": 4, "purple": 5}
ROLL = {"qwixx": Roll(), "qwinto": Roll(("yellow",))}
BOX = {"qwixx": "penalty_taken", "qwinto": "throw_failed"}
LAST_PHASE = {"qwixx": "colour", "qwinto": "write"}
both_games = pytest.mark.parametrize("ruleset", ["qwixx", "qwinto"])


def _driver(
    ruleset: str, seats: int = 3, away: tuple[int, ...] = (), boxes: dict[int, int] | None = None
) -> GameDriver:
    """A game in which seat 0 has to roll, with seats that are away and boxes that are used."""
    driver = started(ruleset, seats, dice_source=loaded(**DICE))
    game = driver.game
    used = [game.ruleset.box(seat) for seat, count in (boxes or {}).items() for _ in range(count)]
    participants = tuple(one._replace(state=AWAY) if one.seat in away else one for one in game.participants)
    driver.game = game._replace(position=reduce(game.ruleset.evolve, used, game.position), participants=participants)
    return driver


def _passive(driver: GameDriver) -> Action:
    answers: dict[str, Action] = {"roll": ROLL[driver.game.setup.ruleset], "keep": Keep()}
    return answers.get(driver.phase, Pass())


def _end_turn(driver: GameDriver) -> list[str]:
    """The present seats mark nothing until the turn is over; returns the types of the last append."""
    turn = driver.game.position.turn
    while driver.game.status == PLAYING and driver.game.position.turn == turn:
        events = driver.act(driver.game.waiting_for()[0], _passive(driver))
    return types(events)


def _until(driver: GameDriver, phase: str) -> None:
    while driver.phase != phase:
        driver.act(driver.game.waiting_for()[0], _passive(driver))


def _boxes(driver: GameDriver, seat: int) -> int:
    return 4 - driver.game.ruleset.boxes_left(driver.game.position, seat)


def _leave_silently(driver: GameDriver, seat: int) -> list[str]:
    """The seat's third time-out in a row, in the open phase; all others have answered."""
    last = driver.game.participants[seat]._replace(timeouts=2)
    participants = tuple(last if one.seat == seat else one for one in driver.game.participants)
    driver.game = driver.game._replace(participants=participants)
    for other in driver.game.waiting_for():
        if other != seat:
            driver.act(other, _passive(driver))
    return types(driver.time_out())


@both_games
def test_the_turn_of_an_away_seat_rolls_nothing_and_costs_a_box(ruleset: str) -> None:
    driver = _driver(ruleset, away=(1,))
    roll = 1 + driver.game.position.roll
    assert _end_turn(driver)[-4:] == [BOX[ruleset], "turn_started", BOX[ruleset], "turn_started"]
    assert [event.data["seat"] for event in driver.log[-4:]] == [0, 1, 1, 2]
    assert (driver.game.position.roll, _boxes(driver, 1), driver.state(1)) == (roll, 1, AWAY)


@both_games
def test_the_turn_of_an_away_seat_counts_as_a_turn_without_a_deadline(ruleset: str) -> None:
    driver = _driver(ruleset, away=(1,))
    _end_turn(driver)
    passed, _, opened = driver.log[-3:]
    assert (passed.data["turn"], opened.data["turn"]) == (2, 3)
    assert passed.data["deadline"] is None
    assert opened.data["deadline"] == driver.game.deadline


@both_games
def test_the_turns_of_several_away_seats_pass_in_one_append(ruleset: str) -> None:
    driver = _driver(ruleset, 4, away=(1, 2))
    assert _end_turn(driver)[-5:] == ["turn_started", BOX[ruleset], "turn_started", BOX[ruleset], "turn_started"]
    assert (_boxes(driver, 1), _boxes(driver, 2), driver.active) == (1, 1, 3)


@both_games
def test_a_turn_passes_on_from_the_last_seat_to_the_first(ruleset: str) -> None:
    driver = _driver(ruleset, 2, away=(1,))
    _end_turn(driver)
    assert (driver.active, driver.game.position.turn) == (0, 3)


@both_games
def test_a_seat_that_came_back_before_its_turn_plays_it(ruleset: str) -> None:
    driver = _driver(ruleset, away=(1,))
    driver.come_back(1)
    _end_turn(driver)
    assert (driver.active, driver.phase, _boxes(driver, 1)) == (1, "roll", 0)


@both_games
def test_absence_in_the_turns_of_others_costs_nothing(ruleset: str) -> None:
    driver = _driver(ruleset, away=(2,))
    _end_turn(driver)
    assert (driver.active, _boxes(driver, 2)) == (1, 0)


@both_games
def test_an_active_seat_that_goes_away_in_phase_roll_takes_the_box_at_the_end_of_its_turn(ruleset: str) -> None:
    driver = _driver(ruleset)
    assert _leave_silently(driver, 0)[:3] == ["time_ran_out", "seat_went_away", "dice_rolled"]
    assert _boxes(driver, 0) == 0
    assert _end_turn(driver)[-2:] == [BOX[ruleset], "turn_started"]
    assert (_boxes(driver, 0), driver.active) == (1, 1)


@both_games
def test_an_active_seat_that_goes_away_in_the_last_phase_of_its_turn_takes_the_box(ruleset: str) -> None:
    driver = _driver(ruleset)
    _until(driver, LAST_PHASE[ruleset])
    expected = ["time_ran_out", "seat_went_away", "phase_closed", BOX[ruleset], "turn_started"]
    assert _leave_silently(driver, 0) == expected


@both_games
def test_an_away_active_seat_takes_the_box_when_the_time_of_others_runs_out(ruleset: str) -> None:
    driver = _driver(ruleset)
    _leave_silently(driver, 0)
    while driver.active == 0:
        events = driver.time_out()
    assert types(events)[-2:] == [BOX[ruleset], "turn_started"]
    assert _boxes(driver, 0) == 1


def test_an_away_active_seat_that_marked_in_action_one_takes_no_penalty() -> None:
    driver = _driver("qwixx")
    _until(driver, "white")
    driver.act(0, Mark("red", 7))
    _until(driver, "colour")
    assert _leave_silently(driver, 0) == ["time_ran_out", "seat_went_away", "phase_closed", "turn_started"]


def test_a_failed_throw_by_absence_leaves_the_numbers_of_the_others() -> None:
    driver = _driver("qwinto")
    _until(driver, "write")
    driver.act(1, Write("yellow", 1))
    assert _leave_silently(driver, 0)[2:] == ["phase_closed", "number_written", "throw_failed", "turn_started"]


@both_games
def test_an_away_seat_that_comes_back_in_its_own_turn_is_asked_again(ruleset: str) -> None:
    driver = _driver(ruleset)
    _leave_silently(driver, 0)
    _until(driver, "white" if ruleset == "qwixx" else "write")
    driver.come_back(0)
    assert 0 in driver.game.waiting_for()


@both_games
def test_the_turn_that_would_cost_an_away_seat_its_last_box_resigns_it_instead(ruleset: str) -> None:
    driver = _driver(ruleset, away=(1,), boxes={1: 3})
    assert _end_turn(driver)[-3:] == ["turn_started", "seat_resigned", "turn_started"]
    assert [event.data["seat"] for event in driver.log[-3:]] == [1, 1, 2]
    assert (_boxes(driver, 1), driver.state(1), driver.game.status) == (3, RESIGNED, PLAYING)


@both_games
def test_a_seat_that_goes_away_in_its_turn_is_resigned_in_place_of_the_last_box(ruleset: str) -> None:
    driver = _driver(ruleset, boxes={0: 3})
    _until(driver, LAST_PHASE[ruleset])
    expected = ["time_ran_out", "seat_went_away", "phase_closed", "seat_resigned", "turn_started"]
    assert _leave_silently(driver, 0) == expected
    assert (_boxes(driver, 0), driver.active) == (3, 1)


@both_games
def test_a_present_seat_takes_its_last_box_and_ends_the_game(ruleset: str) -> None:
    driver = _driver(ruleset, boxes={0: 3})
    assert _end_turn(driver)[-2:] == [BOX[ruleset], "game_ended"]
    assert _boxes(driver, 0) == 4


@both_games
def test_a_silent_seat_that_is_not_away_takes_its_last_box(ruleset: str) -> None:
    driver = _driver(ruleset, boxes={0: 3})
    _until(driver, LAST_PHASE[ruleset])
    assert types(driver.time_out())[-2:] == [BOX[ruleset], "game_ended"]


@both_games
def test_a_resignation_by_absence_that_leaves_one_seat_ends_the_game(ruleset: str) -> None:
    driver = _driver(ruleset, 2, away=(1,), boxes={1: 3})
    assert _end_turn(driver)[-3:] == ["turn_started", "seat_resigned", "game_ended"]
    assert driver.log[-1].data["reason"] == "last_seat_standing"
    assert (driver.ranks, driver.game.deadline) == ({0: 1, 1: 2}, None)


@both_games
def test_a_chain_of_resignations_by_absence_ends_in_one_append(ruleset: str) -> None:
    driver = _driver(ruleset, 4, away=(1, 2, 3), boxes={1: 3, 2: 3, 3: 3})
    expected = [*["turn_started", "seat_resigned"] * 3, "game_ended"]
    assert _end_turn(driver)[-7:] == expected


@both_games
def test_a_resigned_seat_has_no_turn_and_pays_nothing(ruleset: str) -> None:
    driver = _driver(ruleset, 3)
    driver.resign(1)
    _end_turn(driver)
    assert (driver.active, _boxes(driver, 1)) == (2, 0)


@both_games
def test_seats_that_all_go_away_abort_the_game_and_pay_nothing_more(ruleset: str) -> None:
    driver = _driver(ruleset, 2, away=(1,))
    assert _leave_silently(driver, 0) == ["time_ran_out", "seat_went_away", "game_aborted"]
    assert (driver.game.status, _boxes(driver, 0), _boxes(driver, 1)) == (ABORTED, 0, 0)


@both_games
def test_an_away_seat_with_more_points_ranks_below_the_seat_that_played_on(ruleset: str) -> None:
    driver = _driver(ruleset, 2, away=(1,), boxes={0: 3})
    _end_turn(driver)
    assert driver.ranks == {0: 1, 1: 2}
