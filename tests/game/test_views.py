"""What seats and spectators may see, at every step of random games."""

from random import Random
from typing import Any

import pytest

from games.game import bot_names
from games.game.aggregate import fold
from games.game.decisions import interventions, play
from games.game.events import Data
from games.game.views import event_views, game_view, may_look, proof, sealed_versions, seat_of
from games.rules.actions import to_wire
from games.rules.registry import RULESETS
from tests.builders import ANN, SECRET, GameDriver, started

SECRETS = {"action", "nonce"}


def person(player: str) -> Data:
    return {"id": player, "name": player.title(), "is_guest": True, "is_bot": False}


def view(driver: GameDriver, seat: int | None) -> Data:
    return game_view(driver.game, seat, "K7QXM2", person, "now")


def step(driver: GameDriver, rng: Random) -> None:
    seat = rng.choice(driver.game.waiting_for())
    driver.act(seat, rng.choice(play.options(driver.game, seat)))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_viewers_see_the_same_game_and_their_own_options(ruleset: str) -> None:
    driver, rng = started(ruleset, 3), Random(ruleset)
    while not driver.game.is_over:
        public = view(driver, None)
        assert (public["you"], public["code"], public["options"], public["your_answer"]) == (None, None, [], None)
        for seat in range(3):
            mine = view(driver, seat)
            assert [{**option} for option in mine["options"]] == [
                {**to_wire(option), "roll": mine["turn"]["roll"], "phase": mine["turn"]["phase"]}
                for option in play.options(driver.game, seat)
            ]
            assert mine["code"] == "K7QXM2"
            own = {"you": seat, "code": mine["code"], "options": mine["options"], "your_answer": mine["your_answer"]}
            assert {**public, **own} == mine
        step(driver, rng)
    assert view(driver, 0)["turn"] is None
    assert driver.game.result
    assert view(driver, 0)["result"] == driver.game.result._asdict()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_only_the_author_sees_an_answer_until_its_phase_is_closed(ruleset: str) -> None:
    driver, rng = started(ruleset, 3), Random(ruleset)
    while not driver.game.is_over:
        sealed = sealed_versions(driver.game)
        for viewer in (None, 0, 1, 2):
            for event, seen in zip(driver.log, event_views(driver.log, viewer, sealed), strict=True):
                is_hidden = event.version in sealed and event.data["seat"] != viewer
                assert seen["data"].keys() == event.data.keys() - (SECRETS if is_hidden else set())
        step(driver, rng)
    assert sealed_versions(driver.game) == frozenset()


def test_an_open_game_has_no_turn_and_no_sheets() -> None:
    open_game = view(GameDriver(seats=2), 0)
    assert (open_game["turn"], open_game["sheets"], open_game["closed_rows"], open_game["result"]) == (
        None,
        [],
        [],
        None,
    )
    assert open_game["fairness"]["entropy"] is None
    assert [seat["player"]["name"] for seat in open_game["seats"]] == ["Ann"]


def test_a_bot_is_shown_with_a_name_and_its_level() -> None:
    driver = GameDriver(seats=3, bots=["hard"])
    bot = view(driver, 0)["seats"][1]["player"]
    assert bot["name"].removeprefix("Bot ") in bot_names.NAMES
    assert {**bot, "name": ""} == {"id": None, "name": "", "is_guest": False, "is_bot": True, "level": "hard"}


def test_the_bots_of_a_game_have_different_names() -> None:
    for game_id in ("…0000", "…ffff"):
        names = {bot_names.bot_profile(game_id, number, "easy")["name"] for number in range(len(bot_names.NAMES))}
        assert len(names) == len(bot_names.NAMES)


def test_only_its_players_see_a_private_game() -> None:
    public, private = GameDriver(), GameDriver(visibility="private")
    assert may_look(public.game, "somebody")
    assert may_look(private.game, ANN)
    assert not may_look(private.game, "somebody")
    assert not may_look(private.game, None)
    assert seat_of(private.game, None) is None


def test_a_proof_holds_every_roll() -> None:
    driver, rng = started("qwixx", 2), Random(1)
    while not driver.game.is_over:
        step(driver, rng)
    found: Any = proof(fold(None, driver.log), driver.log, SECRET)
    assert found["server_seed"] == driver.log[-1].data["server_seed"]
    assert [roll["roll"] for roll in found["rolls"]] == list(range(1, len(found["rolls"]) + 1))
    assert found["first"] == next(event.data["first"] for event in driver.log if event.type == "game_started")
    never_begun = GameDriver()
    never_begun.do(interventions.abort, "abandoned")
    assert proof(never_begun.game, never_begun.log, SECRET)["first"] is None


def test_the_view_and_the_proof_name_the_printing_of_each_seat() -> None:
    driver = started("qwixx", 3, sheet="connected_a_steps")
    stored = next(event.data["printings"] for event in driver.log if event.type == "game_started")
    shown: Any = game_view(driver.game, 0, "CODE", lambda player: {"id": player}, driver.log[-1].at)
    assert [sheet["printing"] for sheet in shown["sheets"]] == stored
    assert proof(driver.game, driver.log, SECRET)["printings"] == stored


def test_a_sheet_with_one_printing_names_none() -> None:
    driver = started("qwixx", 2, sheet="connected_b_chain")
    shown: Any = game_view(driver.game, 0, "CODE", lambda player: {"id": player}, driver.log[-1].at)
    assert "printing" not in shown["sheets"][0]
    assert "printings" not in proof(driver.game, driver.log, SECRET)
