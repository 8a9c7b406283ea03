"""Golden games, replayed byte for byte."""

import json
from typing import Any

import pytest

from games.game.aggregate import GameState, fold
from games.game.events import Event, first_bad_version
from games.rules.registry import RULESETS
from tests.golden.make import GAMES, HERE, V1_GAMES, log, shown, summary
from tests.laws.game_laws import REVEALERS, check_log

V1 = tuple(f"v1/{name}" for name in V1_GAMES)
EARLIER = "earlier/skipped-turns"
every_game = pytest.mark.parametrize("name", [*GAMES, *V1])
every_new_game = pytest.mark.parametrize("name", GAMES)


def _stored(name: str) -> tuple[dict[str, Any], list[Event]]:
    head, *events = (HERE / f"{name}.ndjson").read_text(encoding="utf-8").splitlines()
    return json.loads(head), [Event(**json.loads(line)) for line in events]


def _last_state(name: str) -> GameState:
    return fold(None, _stored(name)[1])


@every_game
def test_a_stored_game_is_folded_to_the_state_it_ended_in(name: str) -> None:
    assert summary(_last_state(name)) == json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


@every_new_game
def test_the_same_play_is_stored_in_the_same_bytes(name: str) -> None:
    driver = GAMES[name]()
    assert log(driver).encode() == (HERE / f"{name}.ndjson").read_bytes()
    assert shown(driver.game).encode() == (HERE / f"{name}.json").read_bytes()


@every_game
def test_a_golden_game_obeys_the_laws_of_logs(name: str) -> None:
    events = _stored(name)[1]
    assert first_bad_version(events) is None
    check_log(events, _last_state(name))


@every_game
def test_the_header_of_a_golden_game_matches_its_log(name: str) -> None:
    head, events = _stored(name)
    created = events[0].data
    assert head == {
        "format": "qwixx-log",
        "format_version": 1,
        "game": events[0].game,
        "ruleset": created["ruleset"],
        "sheet": created["sheet"],
        "events": len(events),
        "complete": events[-1].type in REVEALERS,
    }


@every_game
def test_a_golden_game_can_be_folded_from_any_version(name: str) -> None:
    events = _stored(name)[1]
    game = None
    for event in events:
        game = fold(game, [event])
    assert game == _last_state(name)


@pytest.mark.parametrize("name", V1_GAMES)
def test_a_game_of_dice_as_numbers_ended_as_the_same_game_of_dice_as_lists(name: str) -> None:
    """Only the hashes differ: they cover the form in which an event was stored."""
    assert {event.v for event in _stored(f"v1/{name}")[1] if event.type == "dice_rolled"} == {1}
    old, new = summary(_last_state(f"v1/{name}")), summary(_last_state(name))
    assert {**old, "head": new["head"]} == new


def test_the_golden_games_cover_every_ending() -> None:
    reasons = {game.result.reason for game in map(_last_state, GAMES) if game.result}
    assert reasons == {"two_rows_closed", "four_penalties", "two_rows_filled", "four_fails"}


def test_every_ruleset_has_its_golden_games() -> None:
    assert {_stored(name)[0]["ruleset"] for name in GAMES} == set(RULESETS)


def test_one_golden_game_has_time_outs_an_absence_and_a_resignation() -> None:
    types = {event.type for event in _stored("some-do-not-stay")[1]}
    assert {"time_ran_out", "seat_went_away", "seat_came_back", "seat_resigned"} <= types


def test_one_golden_game_waits_for_seeds() -> None:
    types = [event.type for event in _stored("seeds-come-late")[1]]
    assert types.index("seed_given") < types.index("time_ran_out") < types.index("game_started")


def test_a_log_from_before_absence_had_a_cost_is_folded_to_the_state_it_ended_in() -> None:
    """Its away seat was skipped. The facts are as they were decided then; only new decisions differ."""
    events = _stored(EARLIER)[1]
    assert first_bad_version(events) is None
    expected = json.loads((HERE / f"{EARLIER}.json").read_text(encoding="utf-8"))
    assert summary(fold(None, events)) == expected


def test_every_golden_file_has_its_recipe() -> None:
    names = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*.*json")}
    assert names == {f"{name}{suffix}" for name in (*GAMES, *V1, EARLIER) for suffix in (".json", ".ndjson")}
