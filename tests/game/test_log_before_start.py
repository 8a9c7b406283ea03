"""The log of a game that has not started has at most 200 events, and its players can always leave or start."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.game.aggregate import ABORTED, OPEN, PLAYING
from games.game.decisions import lobby, play
from games.game.decisions.draft import Draft
from games.game.decisions.lobby import MAX_EVENTS_BEFORE_START
from games.rules.refused import Refused
from tests.builders import ANN, BEN, CAT, GameDriver, started

Command = tuple[Any, ...]  # a function of `lobby` and its arguments
SEAT_BOT: Command = (lobby.seat_bot, ANN, "easy")
FREE_SEAT: Command = (lobby.free_seat, ANN, 2)
SEEDS: list[Command] = [(lobby.give_seed, BEN, "a"), (lobby.give_seed, BEN, "b")]
COMMANDS: list[Command] = [
    *SEEDS,
    SEAT_BOT,
    FREE_SEAT,
    (lobby.join, CAT, None),
    (lobby.leave, BEN),
    (lobby.join, BEN, None),
]
ROUNDS = 150


def code_of(driver: GameDriver, command: Callable[..., Draft], *arguments: object) -> str:
    """The code of the refusal, or an empty text if the command was stored."""
    try:
        driver.do(command, *arguments)
    except Refused as refused:
        return refused.code
    return ""


def full_log() -> GameDriver:
    """An open game of two players whose log takes no further seat."""
    driver = GameDriver(seats=5)
    driver.join(BEN)
    codes = [code_of(driver, *command) for _ in range(ROUNDS) for command in (SEAT_BOT, FREE_SEAT)]
    assert set(codes) == {"", "too_many_requests", "not_found"}  # a seat that was not taken cannot be freed
    return driver


def test_seating_and_freeing_bots_ends_at_the_limit() -> None:
    driver = full_log()
    assert MAX_EVENTS_BEFORE_START - 10 < driver.game.version <= MAX_EVENTS_BEFORE_START
    assert driver.refusal(lobby.join, CAT, None) == "too_many_requests"
    with pytest.raises(Refused) as refused:
        lobby.join(driver.game, CAT, None, driver.moment)
    assert refused.value.data["retry_after"] == lobby.LOG_FULL_RETRY_S


def test_joining_and_leaving_ends_at_the_limit() -> None:
    driver = GameDriver(seats=3)
    commands: list[Command] = [(lobby.join, BEN, None), (lobby.leave, BEN)]
    codes = [code_of(driver, *command) for _ in range(ROUNDS) for command in commands]
    assert "too_many_requests" in codes
    assert driver.game.version <= MAX_EVENTS_BEFORE_START


def test_every_player_can_leave_a_game_whose_log_is_full() -> None:
    driver = full_log()
    driver.do(lobby.leave, ANN)
    assert driver.game.status == OPEN
    driver.do(lobby.leave, BEN)
    assert driver.game.status == ABORTED
    assert driver.game.version <= MAX_EVENTS_BEFORE_START


def test_a_game_whose_log_is_full_can_be_started() -> None:
    driver = full_log()
    driver.do(lobby.start, ANN)
    assert driver.game.status == PLAYING


def test_the_last_seat_of_a_game_whose_log_is_full_can_be_taken_because_the_game_starts() -> None:
    driver = GameDriver(seats=2)
    long = driver.game._replace(version=MAX_EVENTS_BEFORE_START)
    assert lobby.join(long, BEN, None, driver.moment).game.status == PLAYING


@given(st.lists(st.sampled_from(COMMANDS), max_size=20))
def test_no_order_of_commands_exceeds_the_limit_or_locks_a_player_in(commands: list[Command]) -> None:
    driver = full_log()
    for command in commands:
        code_of(driver, *command)
    for participant in driver.game.participants:
        if participant.player:
            driver.do(lobby.leave, participant.player)
    assert driver.game.version <= MAX_EVENTS_BEFORE_START
    assert driver.game.status == ABORTED


def test_a_long_log_takes_a_first_rematch_and_no_second_one() -> None:
    driver = started()
    driver.resign(0)
    long = driver.game._replace(version=play.MAX_EVENTS_WITH_REMATCHES)
    assert play.rematch(long, "next", driver.moment).facts
    with pytest.raises(Refused, match="too_many_requests"):
        play.rematch(long._replace(next_game="next"), "another", driver.moment, instead_of="next")
    assert not play.rematch(long._replace(next_game="next"), "another", driver.moment).facts
