"""Before the start: creating a game and taking seats, with the codes of refusals."""

from typing import Any

import pytest

from games.game.aggregate import OPEN, PLAYING
from games.game.decisions import game_settings, lobby
from games.game.decisions.draft import Draft
from games.game.decisions.game_settings import Settings
from games.game.dice import default_client_seed
from games.rules.refused import Refused
from tests.builders import ANN, BEN, CAT, GAME, PLAYERS, GameDriver, started, types


def _malformed(**settings: Any) -> list[str]:
    with pytest.raises(Refused) as refused:
        GameDriver(**{"ruleset": "qwixx", **settings})
    assert refused.value.code == "malformed"
    errors = refused.value.data["errors"]
    assert isinstance(errors, list)
    return [pointer for pointer, *_ in errors]


def test_the_creator_has_seat_0_and_is_the_host() -> None:
    driver = GameDriver(seats=3)
    assert types(driver.log) == ["game_created", "seat_taken"]
    assert (driver.game.participants[0].player, driver.game.host, driver.game.status) == (ANN, 0, OPEN)


def test_the_default_game_is_classic_public_unrated_with_two_seats_and_the_live_clock() -> None:
    created = GameDriver().log[0].data
    del created["commitment"]
    agreed = {"ruleset": "qwixx", "sheet": "classic", "seats": 2, "visibility": "public", "rated": False}
    assert created == {**agreed, "clock": {"roll_s": 20, "answer_s": 45}, "rematch_of": None}


def test_players_take_the_next_free_seat_in_the_order_they_join() -> None:
    driver = GameDriver(seats=5)
    driver.join(BEN, CAT)
    assert [(participant.seat, participant.player) for participant in driver.game.participants] == [
        (0, ANN),
        (1, BEN),
        (2, CAT),
    ]


def test_a_seat_that_was_left_is_the_next_to_be_taken() -> None:
    driver = GameDriver(seats=5)
    driver.join(BEN, CAT)
    driver.do(lobby.leave, BEN)
    driver.join("dan")
    assert [participant.player for participant in driver.game.participants] == [ANN, "dan", CAT]


def test_a_full_game_starts() -> None:
    driver = GameDriver(seats=2)
    assert types(driver.do(lobby.join, BEN, None)) == ["seat_taken", "game_started", "turn_started"]
    assert driver.game.status == PLAYING


def test_requested_bots_take_seats_at_creation() -> None:
    driver = GameDriver(seats=4, bots=("easy", "expert"))
    assert [(participant.player, participant.bot) for participant in driver.game.participants] == [
        (ANN, None),
        (None, "easy"),
        (None, "expert"),
    ]


def test_a_game_filled_with_bots_starts_in_the_append_that_creates_it() -> None:
    driver = GameDriver(seats=2, bots=("hard",))
    assert types(driver.log) == ["game_created", "seat_taken", "seat_taken", "game_started", "turn_started"]
    assert len(driver.appends) == 1


def test_a_client_seed_is_stored_as_given() -> None:
    driver = GameDriver(seats=3, client_seed="luck-of_Ann-7")
    driver.join(BEN, client_seed="")
    assert [participant.client_seed for participant in driver.game.participants] == ["luck-of_Ann-7", ""]


def test_a_default_client_seed_cannot_be_chosen_by_the_server() -> None:
    assert GameDriver().game.participants[0].client_seed == default_client_seed(GAME, ANN)


def test_a_bots_client_seed_is_empty() -> None:
    assert GameDriver(seats=3, bots=("easy",)).game.participants[1].client_seed == ""


def test_a_seated_player_cannot_join_again() -> None:
    assert started().refusal(lobby.join, ANN, None) == "already_seated"
    assert GameDriver(seats=3).refusal(lobby.join, ANN, None) == "already_seated"


def test_joining_a_full_game_that_has_started_is_refused_as_game_full() -> None:
    assert started(seats=2).refusal(lobby.join, CAT, None) == "game_full"
    assert started(seats=2).refusal(lobby.seat_bot, ANN, "easy") == "game_full"


def test_joining_a_started_game_with_free_seats_is_refused_as_game_not_open() -> None:
    driver = GameDriver(seats=5)
    driver.join(BEN)
    driver.do(lobby.start, ANN)
    assert driver.refusal(lobby.join, CAT, None) == "game_not_open"
    assert driver.refusal(lobby.seat_bot, ANN, "easy") == "game_not_open"
    assert driver.refusal(lobby.start, ANN) == "game_not_open"
    assert driver.refusal(lobby.free_seat, ANN, 1) == "game_not_open"


@pytest.mark.parametrize("player", [ANN, CAT])
def test_game_over_is_reported_before_other_refusals_of_the_lobby(player: str) -> None:
    driver = started(seats=2)
    driver.resign(0)
    assert driver.refusal(lobby.join, player, None) == "game_over"
    assert driver.refusal(lobby.seat_bot, player, "easy") == "game_over"
    assert driver.refusal(lobby.start, player) == "game_over"
    assert driver.refusal(lobby.free_seat, player, 1) == "game_over"
    assert driver.refusal(lobby.leave, player) == "game_over"


def test_not_allowed_is_reported_before_game_full() -> None:
    assert started(seats=2).refusal(lobby.seat_bot, CAT, "easy") == "not_seated"
    assert started(seats=2).refusal(lobby.seat_bot, BEN, "easy") == "not_allowed"


@pytest.mark.parametrize("client_seed", ["a b", "é", "x" * 65, "a\n"])
def test_a_client_seed_is_up_to_64_letters_digits_dashes_and_underscores(client_seed: str) -> None:
    assert _malformed(client_seed=client_seed) == ["/client_seed"]
    assert GameDriver(seats=3).refusal(lobby.join, BEN, client_seed) == "malformed"


def test_malformed_is_reported_before_the_state_of_the_game() -> None:
    driver = started(seats=2)
    assert driver.refusal(lobby.join, ANN, "no good") == "malformed"
    assert driver.refusal(lobby.seat_bot, CAT, "god") == "malformed"
    driver.resign(0)
    assert driver.refusal(lobby.join, CAT, "no good") == "malformed"
    assert driver.refusal(lobby.seat_bot, ANN, "god") == "malformed"


@pytest.mark.parametrize(
    ("settings", "pointers"),
    [
        ({"ruleset": "chess"}, ["/ruleset"]),
        ({"sheet": "torn"}, ["/sheet"]),
        ({"seats": 1}, ["/seats"]),
        ({"seats": 6}, ["/seats"]),
        ({"ruleset": "qwinto", "seats": 7}, ["/seats"]),
        ({"visibility": "secret"}, ["/visibility"]),
        ({"bots": ("god",)}, ["/bots/0"]),
        ({"bots": ("easy", "easy")}, ["/bots"]),
        ({"clock": None}, ["/clock"]),
        ({"clock": {"roll_s": 4, "answer_s": 45}}, ["/clock/roll_s"]),
        ({"clock": {"roll_s": 20, "answer_s": 1_209_601}}, ["/clock/answer_s"]),
        ({"clock": {"roll_s": 20}}, ["/clock"]),
        ({"sheet": "torn", "seats": 9, "visibility": "secret"}, ["/visibility", "/sheet", "/seats"]),
    ],
    ids=str,
)
def test_settings_that_do_not_exist_are_malformed_each_with_its_pointer(
    settings: dict[str, Any], pointers: list[str]
) -> None:
    assert _malformed(**settings) == pointers


@pytest.mark.parametrize("clock", [{"roll_s": 5, "answer_s": 5}, {"roll_s": 1_209_600, "answer_s": 1_209_600}])
def test_a_clock_runs_from_five_seconds_to_two_weeks(clock: dict[str, int]) -> None:
    assert GameDriver(clock=clock).log[0].data["clock"] == clock


def test_only_a_private_game_may_be_without_a_clock() -> None:
    assert GameDriver(visibility="private", clock=None).game.setup.clock is None


def test_a_game_has_as_many_players_as_its_ruleset_allows() -> None:
    assert [participant.player for participant in started("qwinto", seats=6).game.participants] == list(PLAYERS)


def test_a_rematch_names_the_earlier_game() -> None:
    assert GameDriver(rematch_of="another").game.setup.rematch_of == "another"


def test_every_setting_has_a_default_but_the_ruleset() -> None:
    assert Settings("qwinto") == Settings("qwinto", "classic", 2, "public", False, game_settings.LIVE_CLOCK, (), None)  # noqa: FBT003


def _gathered(*players: str, **settings: Any) -> Draft:
    return lobby.create_with_players(GAME, Settings("qwixx", **settings), players, GameDriver().moment)


def test_matched_players_take_seats_in_the_order_given_and_the_game_starts() -> None:
    draft = _gathered(CAT, ANN, BEN, seats=3, rated=True)
    assert types(draft.events()) == ["game_created", *["seat_taken"] * 3, "game_started", "turn_started"]
    game = draft.game
    assert [participant.player for participant in game.participants] == [CAT, ANN, BEN]
    assert [participant.client_seed for participant in game.participants] == [
        default_client_seed(GAME, p) for p in (CAT, ANN, BEN)
    ]
    assert (game.status, game.host, game.setup.rated) == (PLAYING, 0, True)


def test_bots_take_the_seats_that_matched_players_leave_free() -> None:
    participants = _gathered(ANN, BEN, seats=4, bots=["easy", "hard"]).game.participants
    assert [(participant.player, participant.bot) for participant in participants] == [
        (ANN, None),
        (BEN, None),
        (None, "easy"),
        (None, "hard"),
    ]


@pytest.mark.parametrize("players", [(ANN,), (ANN, ANN), (ANN, BEN, CAT)])
def test_matched_players_and_bots_must_fill_the_game(players: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="every seat"):
        _gathered(*players, seats=2)
