"""Client seeds that come after the commitment: the wait for announced ones, and which of them count as late."""

from datetime import timedelta

import pytest

from games.game.aggregate import ABORTED, OPEN, PLAYING
from games.game.decisions import expiry, lobby
from games.game.decisions.game_settings import Settings
from games.game.dice import default_client_seed, late_seeds
from games.game.events import moment_of, stamp
from games.game.views import game_view
from tests.builders import ANN, BEN, CAT, GAME, NOON, GameDriver, outage, started, types
from tests.laws.expected_dice import entropy_by_hand

START = ["game_started", "turn_started"]


def waiting(**settings: object) -> GameDriver:
    """A game of Ann and a bot that waits for the seed that Ann has announced."""
    return GameDriver(bots=("easy",), late_seed=True, **settings)  # type: ignore[arg-type]


def match(*late: str) -> GameDriver:
    """A game of two players from the queue."""
    driver = GameDriver(seats=2)
    driver.log.clear()
    driver.keep(lobby.create_with_players(GAME, Settings("qwixx"), (ANN, BEN), driver.moment, late))
    return driver


# Giving a seed


def test_a_seed_replaces_the_one_before() -> None:
    driver = GameDriver(client_seed="first")
    assert types(driver.do(lobby.give_seed, ANN, "second")) == ["seed_given"]
    driver.do(lobby.give_seed, ANN, "third")
    assert driver.game.participants[0].client_seed == "third"
    assert driver.log[-1].data == {"seat": 0, "client_seed": "third"}


def test_the_same_seed_again_appends_nothing() -> None:
    driver = GameDriver(client_seed="first")
    assert driver.do(lobby.give_seed, ANN, "first") == ()


def test_the_entropy_is_made_of_the_last_seeds() -> None:
    driver = GameDriver(seats=3)
    driver.join(BEN, CAT, client_seed="given-first", late_seed=True)
    driver.do(lobby.give_seed, CAT, "cat")
    driver.do(lobby.give_seed, BEN, "ben")
    assert driver.game.entropy == entropy_by_hand([default_client_seed(GAME, ANN), "ben", "cat"])


@pytest.mark.parametrize("seed", ["no good", "x" * 65, "ä", "a\n"])
def test_a_seed_of_other_characters_or_more_than_64_is_malformed(seed: str) -> None:
    assert GameDriver().refusal(lobby.give_seed, ANN, seed) == "malformed"


def test_only_a_seated_player_gives_a_seed_and_only_before_the_start() -> None:
    assert GameDriver().refusal(lobby.give_seed, BEN, "x") == "not_seated"
    assert started().refusal(lobby.give_seed, CAT, "x") == "not_seated"
    assert started().refusal(lobby.give_seed, ANN, "x") == "game_not_open"
    over = started()
    over.resign(0)
    assert [over.refusal(lobby.give_seed, player, "x") for player in (ANN, CAT)] == ["game_over"] * 2


def test_seeds_are_part_of_the_limit_of_events_before_the_start() -> None:
    driver = GameDriver(seats=3)
    while driver.game.version < lobby.MAX_EVENTS_BEFORE_START - 2:
        driver.do(lobby.give_seed, ANN, f"seed-{driver.game.version}")
    assert driver.refusal(lobby.give_seed, ANN, "one-more") == "too_many_requests"
    driver.do(lobby.leave, ANN)
    assert (driver.game.status, driver.game.version) == (ABORTED, lobby.MAX_EVENTS_BEFORE_START)


def test_a_seed_that_starts_the_game_is_taken_however_long_the_log_is() -> None:
    driver = waiting()
    long = driver.game._replace(version=lobby.MAX_EVENTS_BEFORE_START)
    assert lobby.give_seed(long, ANN, "x", driver.moment).game.status == PLAYING


# The wait


def test_a_full_game_waits_five_seconds_for_an_announced_seed() -> None:
    driver = waiting()
    assert types(driver.log) == ["game_created", "seat_taken", "seat_taken"]
    assert driver.log[1].data == {
        "seat": 0,
        "player": ANN,
        "bot": None,
        "client_seed": default_client_seed(GAME, ANN),
        "late_seed": True,
    }
    deadline = stamp(NOON + timedelta(seconds=5))
    assert driver.log[2].data == {"seat": 1, "player": None, "bot": "easy", "client_seed": "", "deadline": deadline}
    assert (driver.game.status, driver.game.deadline, driver.game.awaited_seeds()) == (OPEN, deadline, (0,))


def test_the_last_announced_seed_starts_the_game_in_its_own_append() -> None:
    driver = GameDriver(seats=3, late_seed=True)
    driver.join(BEN, CAT, late_seed=True)
    assert driver.game.awaited_seeds() == (0, 1, 2)
    assert types(driver.do(lobby.give_seed, BEN, "b")) == ["seed_given"]
    assert types(driver.do(lobby.give_seed, ANN, "a")) == ["seed_given"]
    assert types(driver.do(lobby.give_seed, CAT, "c")) == ["seed_given", *START]
    assert driver.game.entropy == entropy_by_hand(["a", "b", "c"])


def test_a_seed_that_comes_before_the_last_seat_is_taken_is_not_waited_for() -> None:
    driver = GameDriver(late_seed=True)
    driver.do(lobby.give_seed, ANN, "a")
    assert types(driver.do(lobby.join, BEN, None)) == ["seat_taken", *START]


def test_other_players_may_give_seeds_during_the_wait_without_ending_it() -> None:
    driver = GameDriver(late_seed=True)
    driver.join(BEN)
    deadline = driver.game.deadline
    assert types(driver.do(lobby.give_seed, BEN, "b")) == ["seed_given"]
    assert driver.game.deadline == deadline


def test_the_announced_seed_starts_the_game_even_if_it_is_the_one_the_seat_has() -> None:
    driver = waiting(client_seed="same")
    assert types(driver.do(lobby.give_seed, ANN, "same")) == ["seed_given", *START]


def test_after_the_wait_the_game_starts_with_the_seeds_it_has() -> None:
    driver = waiting()
    deadline = driver.game.deadline
    events = driver.time_out()
    assert types(events) == ["time_ran_out", *START]
    assert events[0].data == {"seats": [0], "deadline": deadline}
    assert driver.game.entropy == entropy_by_hand([default_client_seed(GAME, ANN), ""])
    assert driver.game.participants[0].timeouts == 0


def test_before_its_time_the_wait_is_not_ended() -> None:
    driver = waiting()
    driver.wait(4.9)
    assert driver.do(expiry.expire) == ()


def test_a_seed_after_the_deadline_is_too_late_even_if_the_game_has_not_started_yet() -> None:
    driver = waiting()
    driver.wait(5)
    assert driver.refusal(lobby.give_seed, ANN, "x") == "too_late"


def test_an_outage_extends_the_wait_once() -> None:
    driver = waiting()
    before = moment_of(driver.game.deadline or "")
    assert types(driver.do(expiry.credit_outages, [outage(1, 7)])) == ["time_credited"]
    assert moment_of(driver.game.deadline or "") - before == timedelta(seconds=7)
    assert driver.do(expiry.credit_outages, [outage(1, 7)]) == ()
    driver.wait(6)
    assert types(driver.do(lobby.give_seed, ANN, "x")) == ["seed_given", *START]


def test_the_start_by_the_creator_waits_for_no_seed() -> None:
    driver = GameDriver(seats=3)
    driver.join(BEN, late_seed=True)
    assert types(driver.do(lobby.start, ANN)) == START
    full = GameDriver(seats=2)
    full.join(BEN, late_seed=True)
    assert types(full.do(lobby.start, ANN)) == START


def test_a_seat_that_becomes_free_ends_the_wait_and_the_next_to_sit_down_begins_it_anew() -> None:
    driver = GameDriver(late_seed=True)
    driver.join(BEN)
    driver.do(lobby.leave, BEN)
    assert (driver.game.status, driver.game.deadline) == (OPEN, None)
    driver.wait(60)
    driver.join(CAT)
    assert driver.game.deadline == stamp(NOON + timedelta(seconds=65))


def test_a_player_who_leaves_or_loses_the_seat_is_not_waited_for() -> None:
    driver = GameDriver(seats=2)
    driver.join(BEN, late_seed=True)
    driver.do(lobby.leave, BEN)
    assert driver.game.awaited_seeds() == ()
    driver.join(CAT, late_seed=True)
    driver.do(lobby.free_seat, ANN, 1)
    assert types(driver.do(lobby.join, BEN, None)) == ["seat_taken", *START]


def test_players_of_a_match_are_waited_for_as_each_has_announced() -> None:
    assert match().game.status == PLAYING
    driver = match(BEN)
    assert (driver.game.status, driver.game.awaited_seeds()) == (OPEN, (1,))
    assert driver.log[-1].data["deadline"] == driver.game.deadline
    assert types(driver.do(lobby.give_seed, BEN, "b")) == ["seed_given", *START]


def test_the_view_shows_the_wait() -> None:
    def start(driver: GameDriver) -> object:
        return game_view(driver.game, None, "", lambda player: {"id": player}, "")["start"]

    driver = GameDriver(late_seed=True)
    assert start(driver) == {"waiting_for": [0], "deadline_at": None}
    driver.join(BEN)
    assert start(driver) == {"waiting_for": [0], "deadline_at": driver.game.deadline}
    driver.do(lobby.give_seed, ANN, "x")
    assert start(driver) is None


# Which seeds count as late


def test_a_seed_given_with_a_join_or_afterwards_is_late_and_one_given_with_the_creation_is_not() -> None:
    driver = GameDriver(seats=5, client_seed="a", bots=("easy",))
    driver.join(BEN, client_seed="b")
    driver.join(CAT)
    assert late_seeds(driver.log) == [False, False, True, False]
    driver.do(lobby.give_seed, ANN, "another")
    driver.do(lobby.give_seed, CAT, "c")
    assert late_seeds(driver.log) == [True, False, True, True]
    driver.do(lobby.leave, BEN)
    driver.do(lobby.start, ANN)
    assert late_seeds(driver.log) == [True, False, True]


def test_a_seed_that_the_server_could_know_before_the_commitment_is_never_late() -> None:
    driver = GameDriver(seats=5, client_seed="a", late_seed=True)
    driver.do(lobby.give_seed, ANN, "a")
    driver.join(BEN, client_seed="")
    driver.join(CAT, client_seed=default_client_seed(GAME, CAT))
    assert late_seeds(driver.log) == [False, False, False]
    driver.do(lobby.give_seed, ANN, "b")
    assert late_seeds(driver.log)[0]
    driver.do(lobby.give_seed, ANN, "a")
    assert not late_seeds(driver.log)[0]


def test_the_players_of_a_match_have_late_seeds_only_if_they_gave_them_to_the_game() -> None:
    driver = match(ANN, BEN)
    driver.do(lobby.give_seed, BEN, "b")
    driver.time_out()
    assert late_seeds(driver.log) == [False, True]
