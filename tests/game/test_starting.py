"""The start of a game: the host, renumbered seats, the first seat."""

import pytest

from games.game.decisions import lobby
from games.game.events import moment_of, stamp
from tests.builders import ANN, BEN, CAT, NOON, GameDriver, loaded, started, types
from tests.laws.expected_dice import by_hand, entropy_by_hand


def test_two_taken_seats_are_enough_to_start() -> None:
    driver = GameDriver(seats=5)
    assert driver.refusal(lobby.start, ANN) == "not_enough_seats"
    driver.join(BEN)
    assert types(driver.do(lobby.start, ANN)) == ["game_started", "turn_started"]


def test_only_the_host_may_start_the_game() -> None:
    driver = GameDriver(seats=5)
    driver.join(BEN)
    assert driver.refusal(lobby.start, BEN) == "not_allowed"
    assert driver.refusal(lobby.start, CAT) == "not_seated"


def test_a_bot_counts_as_a_taken_seat() -> None:
    driver = GameDriver(seats=5, bots=("easy",))
    assert types(driver.do(lobby.start, ANN)) == ["game_started", "turn_started"]


def test_at_the_start_taken_seats_are_renumbered_without_gaps() -> None:
    driver = GameDriver(seats=5)
    driver.join(BEN, CAT, "dan")
    driver.do(lobby.free_seat, ANN, 1)
    driver.do(lobby.leave, ANN)
    assert [participant.seat for participant in driver.game.participants] == [2, 3]
    driver.do(lobby.start, CAT)
    assert [(participant.seat, participant.player) for participant in driver.game.participants] == [
        (0, CAT),
        (1, "dan"),
    ]
    assert driver.log[-2].data["seats"] == [2, 3]


def test_the_seat_of_the_host_is_renumbered_at_the_start() -> None:
    driver = GameDriver(seats=5)
    driver.join(BEN, CAT)
    driver.do(lobby.leave, ANN)
    driver.do(lobby.start, BEN)
    assert driver.game.host == 0


def test_entropy_mixes_the_client_seeds_of_the_seats_in_their_new_order() -> None:
    driver = GameDriver(seats=5, client_seed="a")
    driver.join(BEN, client_seed="b")
    driver.join(CAT, client_seed="c")
    driver.do(lobby.leave, BEN)
    driver.do(lobby.start, ANN)
    assert driver.game.entropy == entropy_by_hand(["a", "c"])


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_first_seat_is_a_die_with_a_face_per_seat(seats: int) -> None:
    driver = started(seats=seats)
    drawn = by_hand(driver.secret, driver.game.id, driver.game.entropy, 0, "first", seats)
    assert driver.log[-2].data["first"] == drawn - 1
    assert driver.active == drawn - 1


def test_the_drawn_seat_has_the_first_turn_and_must_roll() -> None:
    driver = started(seats=3, dice_source=loaded(first=2))
    assert (driver.active, driver.phase, driver.game.position.turn) == (2, "roll", 1)
    assert driver.game.waiting_for() == (2,)


def test_the_first_turn_has_a_deadline() -> None:
    driver = started(seats=2)
    assert driver.log[-1].data["deadline"] == driver.game.deadline
    assert driver.game.deadline is not None
    assert (moment_of(driver.game.deadline) - moment_of(driver.game.at)).total_seconds() == 20


def test_without_a_clock_there_is_no_deadline() -> None:
    driver = started(seats=2, visibility="private", clock=None)
    assert driver.game.deadline is None
    assert driver.log[-1].data["deadline"] is None


def test_the_seed_stays_secret_at_the_start() -> None:
    driver = started(seats=2)
    assert not any(driver.secret.hex() in str(event.data) for event in driver.log)


def test_events_of_one_command_have_one_time_and_the_next_command_a_later_one() -> None:
    driver = started(seats=2)
    moments = [{event.at for event in events} for events in driver.appends]
    assert moments == [{stamp(NOON)}, {"2026-01-02T12:00:00.000001Z"}]


def test_the_seed_draws_the_printing_of_seat_0_and_the_others_follow() -> None:
    names, drawn = ["A", "B", "C", "D", "E"], set()
    for number in range(20):
        secret = bytes([number]) * 32
        driver = started("qwixx", 3, sheet="connected_a_steps", secret=secret)
        start = next(event for event in driver.log if event.type == "game_started")
        first = by_hand(secret, driver.game.id, start.data["entropy"], 0, "printing", 5) - 1
        assert start.data["printings"] == [names[(first + seat) % 5] for seat in range(3)]
        drawn.add(first)
    assert len(drawn) > 2


@pytest.mark.parametrize("sheet", ["classic", "connected_b_chain"])
def test_the_start_stores_no_printings_where_all_seats_have_the_same_sheet(sheet: str) -> None:
    start = next(event for event in started("qwixx", 2, sheet=sheet).log if event.type == "game_started")
    assert list(start.data) == ["first", "entropy", "seats"]
