"""Leaving before the start: free seats, a new host, and the end of an empty game."""

from games.game.aggregate import ABORTED, OPEN
from games.game.decisions import lobby
from tests.builders import ANN, BEN, CAT, GameDriver, types


def _table_of_three() -> GameDriver:
    driver = GameDriver(seats=5)
    driver.join(BEN, CAT)
    return driver


def test_leaving_before_the_start_frees_the_seat() -> None:
    driver = _table_of_three()
    (left,) = driver.do(lobby.leave, BEN)
    assert (left.type, left.data) == ("seat_left", {"seat": 1, "host": 0})
    assert [participant.player for participant in driver.game.participants] == [ANN, CAT]


def test_the_player_in_the_lowest_seat_becomes_host_when_the_host_leaves() -> None:
    driver = _table_of_three()
    driver.do(lobby.leave, ANN)
    assert driver.game.host == 1
    assert driver.refusal(lobby.start, CAT) == "not_allowed"
    assert types(driver.do(lobby.start, BEN)) == ["game_started", "turn_started"]


def test_a_bot_is_never_host() -> None:
    driver = GameDriver(seats=5, bots=("easy",))
    driver.join(BEN)
    driver.do(lobby.leave, ANN)
    assert driver.game.host == 2


def test_a_player_who_joins_in_a_lower_seat_does_not_become_host() -> None:
    driver = _table_of_three()
    driver.do(lobby.leave, ANN)
    driver.join("dan")
    assert (driver.game.participants[0].player, driver.game.host) == ("dan", 1)


def test_the_creator_leaving_an_otherwise_empty_game_aborts_it() -> None:
    driver = GameDriver(seats=3)
    left, aborted = driver.do(lobby.leave, ANN)
    assert (left.data, aborted.type) == ({"seat": 0, "host": None}, "game_aborted")
    assert aborted.data["server_seed"] == driver.secret.hex()
    assert driver.game.status == ABORTED


def test_a_game_with_only_bots_is_aborted() -> None:
    driver = GameDriver(seats=3, bots=("easy",))
    assert types(driver.do(lobby.leave, ANN)) == ["seat_left", "game_aborted"]


def test_the_host_may_free_a_seat() -> None:
    driver = _table_of_three()
    assert types(driver.do(lobby.free_seat, ANN, 2)) == ["seat_left"]
    assert driver.game.participant_of(CAT) is None
    assert driver.game.status == OPEN


def test_the_host_may_free_a_bots_seat() -> None:
    driver = GameDriver(seats=3, bots=("easy",))
    driver.do(lobby.free_seat, ANN, 1)
    assert [participant.player for participant in driver.game.participants] == [ANN]


def test_only_the_host_may_free_a_seat() -> None:
    driver = _table_of_three()
    assert driver.refusal(lobby.free_seat, BEN, 2) == "not_allowed"
    assert driver.refusal(lobby.free_seat, "eve", 2) == "not_seated"


def test_an_empty_seat_cannot_be_freed() -> None:
    assert _table_of_three().refusal(lobby.free_seat, ANN, 3) == "not_found"


def test_a_player_without_a_seat_cannot_leave() -> None:
    assert _table_of_three().refusal(lobby.leave, "eve") == "not_seated"


def test_a_player_who_left_may_join_again() -> None:
    driver = _table_of_three()
    driver.do(lobby.leave, BEN)
    driver.join(BEN)
    assert driver.game.participants[1].player == BEN


def test_the_host_seats_bots_until_the_game_is_full_and_starts() -> None:
    driver = GameDriver(seats=3)
    (bot,) = driver.do(lobby.seat_bot, ANN, "medium")
    assert bot.data == {"seat": 1, "player": None, "bot": "medium", "client_seed": ""}
    assert types(driver.do(lobby.seat_bot, ANN, "easy")) == ["seat_taken", "game_started", "turn_started"]
