"""Three time-outs in a row: the seat is away, the game goes on without it, and any action brings it back."""

from games.game.aggregate import ABORTED, AWAY, PLAYING, PRESENT
from games.game.decisions import play
from games.rules.actions import Mark, Pass, Roll
from tests.builders import ANN, GameDriver, loaded, started, types

DICE = {"white1": 3, "white2": 4}


def _driver(seats: int = 3) -> GameDriver:
    return started(seats=seats, dice_source=loaded(**DICE))


def _answer_all_but(driver: GameDriver, silent: int) -> None:
    """All asked seats answer but one, whose time runs out."""
    opened = driver.phase
    for seat in driver.game.waiting_for():
        if seat != silent:
            driver.act(seat, Roll() if driver.phase == "roll" else Pass())
    if driver.phase == opened and silent in driver.game.waiting_for():
        driver.time_out()


def _until_away(driver: GameDriver, seat: int) -> None:
    while driver.state(seat) == PRESENT:
        _answer_all_but(driver, seat)


def _next_turn(driver: GameDriver) -> int:
    """All present seats pass until the next turn starts; returns its seat."""
    turn = driver.game.position.turn
    while driver.game.position.turn == turn:
        seat = driver.game.waiting_for()[0]
        driver.act(seat, Roll() if driver.phase == "roll" else Pass())
    return driver.active


def test_the_third_time_out_in_a_row_makes_a_seat_away() -> None:
    driver = _driver()
    _until_away(driver, 2)
    assert [event.data["seats"] for event in driver.log if event.type == "time_ran_out"] == [[2], [2], [2]]


def test_seat_went_away_follows_time_ran_out() -> None:
    driver = _driver()
    _until_away(driver, 2)
    assert types(driver.appends[-1])[:2] == ["time_ran_out", "seat_went_away"]


def test_an_answer_resets_the_count_of_time_outs() -> None:
    driver = _driver()
    for _ in range(2):
        while driver.game.participants[1].timeouts < 2:
            _answer_all_but(driver, 1)
        while 1 not in driver.game.waiting_for():
            _answer_all_but(driver, 9)
        driver.act(1, Roll() if driver.phase == "roll" else Pass())
        assert driver.game.participants[1].timeouts == 0
    assert driver.state(1) == PRESENT


def test_rolling_or_keeping_in_time_resets_the_count_of_time_outs() -> None:
    driver = _driver(2)
    other = 1 - driver.active
    driver.act(driver.active, Roll())
    driver.time_out()  # white: both were silent
    driver.act(driver.active, Pass())  # colour: the active seat was there
    assert driver.game.participants[1 - other].timeouts == 0
    assert driver.game.participants[other].timeouts == 1
    driver.act(other, Roll())
    assert driver.game.participants[other].timeouts == 0


def test_dice_rolled_for_a_silent_seat_do_not_reset_its_time_outs() -> None:
    driver = _driver()
    driver.time_out()
    assert driver.phase == "white"
    assert driver.game.participants[0].timeouts == 1


def test_the_game_does_not_wait_for_an_away_seat() -> None:
    driver = _driver()
    _until_away(driver, 2)
    while driver.phase != "white":
        _answer_all_but(driver, 2)
    assert driver.game.waiting_for() == (0, 1)


def test_a_seat_that_goes_away_in_its_own_white_phase_skips_the_colour_phase() -> None:
    driver = _driver()
    while driver.game.participants[1].timeouts < 1:
        _answer_all_but(driver, 1)  # white of seat 0
    _answer_all_but(driver, 1)  # colour of seat 0
    driver.time_out()  # its own roll
    _answer_all_but(driver, 1)  # its own white
    assert driver.state(1) == AWAY
    assert types(driver.appends[-1]) == [
        "time_ran_out",
        "seat_went_away",
        "phase_closed",
        "phase_closed",
        "penalty_taken",
        "turn_started",
    ]
    assert driver.active == 2


def test_return_brings_a_seat_back() -> None:
    driver = _driver()
    _until_away(driver, 2)
    assert types(driver.come_back(2)) == ["seat_came_back"]
    assert (driver.state(2), driver.game.participants[2].timeouts) == (PRESENT, 0)


def test_return_of_a_present_seat_appends_nothing() -> None:
    assert _driver().come_back(1) == ()


def test_any_other_action_brings_a_seat_back_too() -> None:
    driver = _driver()
    _until_away(driver, 2)
    while driver.phase != "white":
        _answer_all_but(driver, 2)
    assert types(driver.act(2, Mark("red", 7))) == ["seat_came_back", "answer_sealed"]


def test_a_refused_action_does_not_bring_a_seat_back() -> None:
    driver = _driver()
    _until_away(driver, 2)
    while driver.phase != "white":
        _answer_all_but(driver, 2)
    driver.act_refusal(2, Mark("red", 8))
    assert driver.state(2) == AWAY


def test_a_seat_that_came_back_is_asked_again_and_has_its_turn() -> None:
    driver = _driver()
    _until_away(driver, 2)
    driver.come_back(2)
    assert 2 in [_next_turn(driver) for _ in range(3)]


def test_an_away_seat_may_resign() -> None:
    driver = _driver()
    _until_away(driver, 2)
    assert types(driver.resign(2)) == ["seat_resigned"]


def test_a_game_without_present_players_is_aborted() -> None:
    driver = _driver(2)
    while driver.game.status == PLAYING:
        events = driver.time_out()
    assert types(events) == ["time_ran_out", "seat_went_away", "game_aborted"]
    assert [event.data for event in driver.log if event.type == "seat_went_away"] == [{"seat": 0}, {"seat": 1}]
    assert driver.game.status == ABORTED


def test_a_game_whose_only_player_goes_away_is_aborted_despite_its_bots() -> None:
    driver = GameDriver(seats=2, bots=("easy",), dice_source=loaded(first=0))
    while driver.game.status == PLAYING:
        events = driver.time_out()
    assert types(events)[-1] == "game_aborted"
    assert driver.game.participant_of(ANN) is not None


def test_a_game_in_which_only_an_away_seat_remains_is_over() -> None:
    driver = _driver(2)
    _until_away(driver, 1)
    assert driver.resign(0)[-1].data["reason"] == "last_seat_standing"


def test_an_away_seat_is_offered_the_actions_that_bring_it_back() -> None:
    driver = _driver()
    _until_away(driver, 2)
    while driver.phase != "white":
        _answer_all_but(driver, 2)
    assert Mark("red", 7) in play.options(driver.game, 2)
