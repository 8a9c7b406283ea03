"""The start: who may start a game and when, how seats are renumbered, who is first."""

import pytest

from games.game import lobby
from games.game.events import moment_of, stamp
from tests.builders import ANN, BEN, CAT, NOON, Table, loaded, started, types
from tests.laws.expected_dice import by_hand, entropy_by_hand


def test_two_taken_seats_are_enough_to_start() -> None:
    table = Table(seats=5)
    assert table.refusal(lobby.start, ANN) == "not_enough_seats"
    table.join(BEN)
    assert types(table.do(lobby.start, ANN)) == ["game_started", "turn_started"]


def test_only_the_host_may_start_the_game() -> None:
    table = Table(seats=5)
    table.join(BEN)
    assert table.refusal(lobby.start, BEN) == "not_allowed"
    assert table.refusal(lobby.start, CAT) == "not_seated"


def test_a_bot_counts_as_a_taken_seat() -> None:
    table = Table(seats=5, bots=("easy",))
    assert types(table.do(lobby.start, ANN)) == ["game_started", "turn_started"]


def test_at_the_start_taken_seats_are_renumbered_without_gaps() -> None:
    table = Table(seats=5)
    table.join(BEN, CAT, "dan")
    table.do(lobby.free_seat, ANN, 1)
    table.do(lobby.leave, ANN)
    assert [participant.seat for participant in table.game.participants] == [2, 3]
    table.do(lobby.start, CAT)
    assert [(participant.seat, participant.player) for participant in table.game.participants] == [(0, CAT), (1, "dan")]
    assert table.log[-2].data["seats"] == [2, 3]


def test_the_seat_of_the_host_is_renumbered_at_the_start() -> None:
    table = Table(seats=5)
    table.join(BEN, CAT)
    table.do(lobby.leave, ANN)
    table.do(lobby.start, BEN)
    assert table.game.host == 0


def test_entropy_mixes_the_client_seeds_of_the_seats_in_their_new_order() -> None:
    table = Table(seats=5, client_seed="a")
    table.join(BEN, client_seed="b")
    table.join(CAT, client_seed="c")
    table.do(lobby.leave, BEN)
    table.do(lobby.start, ANN)
    assert table.game.entropy == entropy_by_hand(["a", "c"])


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_first_seat_is_a_die_with_a_face_per_seat(seats: int) -> None:
    table = started(seats=seats)
    drawn = by_hand(table.secret, table.game.id, table.game.entropy, 0, "first", seats)
    assert table.log[-2].data["first"] == drawn - 1
    assert table.active == drawn - 1


def test_the_drawn_seat_has_the_first_turn_and_must_roll() -> None:
    table = started(seats=3, dice_source=loaded(first=2))
    assert (table.active, table.phase, table.game.position.turn) == (2, "roll", 1)
    assert table.game.waiting_for() == (2,)


def test_the_first_turn_has_a_deadline() -> None:
    table = started(seats=2)
    assert table.log[-1].data["deadline"] == table.game.deadline
    assert table.game.deadline is not None
    assert (moment_of(table.game.deadline) - moment_of(table.game.at)).total_seconds() == 20


def test_without_a_clock_there_is_no_deadline() -> None:
    table = started(seats=2, visibility="private", clock=None)
    assert table.game.deadline is None
    assert table.log[-1].data["deadline"] is None


def test_the_seed_stays_secret_at_the_start() -> None:
    table = started(seats=2)
    assert not any(table.secret.hex() in str(event.data) for event in table.log)


def test_events_of_one_command_have_one_time_and_the_next_command_a_later_one() -> None:
    table = started(seats=2)
    moments = [{event.at for event in events} for events in table.appends]
    assert moments == [{stamp(NOON)}, {"2026-01-02T12:00:00.000001Z"}]
