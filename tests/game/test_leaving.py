"""Leaving before the start: the seat is free again, the host's rights go on, and an empty game is no game."""

from games.game import lobby
from games.game.aggregate import ABORTED, OPEN
from tests.builders import ANN, BEN, CAT, Table, types


def _table_of_three() -> Table:
    table = Table(seats=5)
    table.join(BEN, CAT)
    return table


def test_leaving_before_the_start_frees_the_seat() -> None:
    table = _table_of_three()
    (left,) = table.do(lobby.leave, BEN)
    assert (left.type, left.data) == ("seat_left", {"seat": 1, "host": 0})
    assert [participant.player for participant in table.game.participants] == [ANN, CAT]


def test_the_player_in_the_lowest_seat_becomes_host_when_the_host_leaves() -> None:
    table = _table_of_three()
    table.do(lobby.leave, ANN)
    assert table.game.host == 1
    assert table.refusal(lobby.start, CAT) == "not_allowed"
    assert types(table.do(lobby.start, BEN)) == ["game_started", "turn_started"]


def test_a_bot_is_never_host() -> None:
    table = Table(seats=5, bots=("easy",))
    table.join(BEN)
    table.do(lobby.leave, ANN)
    assert table.game.host == 2


def test_a_player_who_joins_in_a_lower_seat_does_not_become_host() -> None:
    table = _table_of_three()
    table.do(lobby.leave, ANN)
    table.join("dan")
    assert (table.game.participants[0].player, table.game.host) == ("dan", 1)


def test_the_creator_leaving_an_otherwise_empty_game_aborts_it() -> None:
    table = Table(seats=3)
    left, aborted = table.do(lobby.leave, ANN)
    assert (left.data, aborted.type) == ({"seat": 0, "host": None}, "game_aborted")
    assert aborted.data["server_seed"] == table.secret.hex()
    assert table.game.status == ABORTED


def test_a_game_with_only_bots_is_aborted() -> None:
    table = Table(seats=3, bots=("easy",))
    assert types(table.do(lobby.leave, ANN)) == ["seat_left", "game_aborted"]


def test_the_host_may_free_a_seat() -> None:
    table = _table_of_three()
    assert types(table.do(lobby.free_seat, ANN, 2)) == ["seat_left"]
    assert table.game.participant_of(CAT) is None
    assert table.game.status == OPEN


def test_the_host_may_free_a_bots_seat() -> None:
    table = Table(seats=3, bots=("easy",))
    table.do(lobby.free_seat, ANN, 1)
    assert [participant.player for participant in table.game.participants] == [ANN]


def test_only_the_host_may_free_a_seat() -> None:
    table = _table_of_three()
    assert table.refusal(lobby.free_seat, BEN, 2) == "not_allowed"
    assert table.refusal(lobby.free_seat, "eve", 2) == "not_seated"


def test_an_empty_seat_cannot_be_freed() -> None:
    assert _table_of_three().refusal(lobby.free_seat, ANN, 3) == "not_found"


def test_a_player_without_a_seat_cannot_leave() -> None:
    assert _table_of_three().refusal(lobby.leave, "eve") == "not_seated"


def test_a_player_who_left_may_join_again() -> None:
    table = _table_of_three()
    table.do(lobby.leave, BEN)
    table.join(BEN)
    assert table.game.participants[1].player == BEN


def test_the_host_seats_bots_until_the_game_is_full_and_starts() -> None:
    table = Table(seats=3)
    (bot,) = table.do(lobby.seat_bot, ANN, "medium")
    assert bot.data == {"seat": 1, "player": None, "bot": "medium", "client_seed": ""}
    assert types(table.do(lobby.seat_bot, ANN, "easy")) == ["seat_taken", "game_started", "turn_started"]
