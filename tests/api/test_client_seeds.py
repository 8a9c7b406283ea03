"""Client seeds over REST: announced and given in every form of taking a seat, refused, raced, repeated, proved."""

import asyncio
import secrets
from typing import Any

import pytest

from games.game.dice import default_client_seed
from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer

SLOW = {"roll_s": 3600, "answer_s": 3600}


async def give(player: Player, game: Json, seed: str | None = None, status: int = 200) -> Json:
    answer: Json = await player.post(f"/games/{game['id']}/seed", {"client_seed": seed or secrets.token_hex(8)}, status)
    return answer


async def events(player: Player, game: Json) -> list[Json]:
    found: list[Json] = (await player.get(f"/games/{game['id']}/events?limit=1000"))["results"]
    return found


async def types(player: Player, game: Json) -> list[str]:
    return [event["type"] for event in await events(player, game)]


async def test_a_game_against_bots_waits_for_the_announced_seed_and_starts_with_it(ann: Player) -> None:
    game = await ann.create(bots=["easy"], late_seed=True, clock=SLOW)
    assert (game["status"], game["turn"], game["start"]["waiting_for"]) == ("open", None, [0])
    assert game["start"]["deadline_at"] > game["server_time"]
    started = await give(ann, game, "luck")
    assert (started["status"], started["start"]) == ("playing", None)
    assert await types(ann, game) == [
        *("game_created", "seat_taken", "seat_taken", "seed_given", "game_started", "turn_started")
    ]


async def test_a_seed_that_does_not_come_is_waited_for_five_seconds(ann: Player) -> None:
    game = await ann.create(bots=["easy"], late_seed=True, clock=SLOW)
    while (view := await ann.view(game))["status"] == "open":
        await ann.get(f"/games/{game['id']}/events?after={view['version']}&wait=1")
    log = await events(ann, game)
    assert [event["type"] for event in log][3:5] == ["time_ran_out", "game_started"]
    assert log[3]["data"] == {"seats": [0], "deadline": game["start"]["deadline_at"]}
    assert (await give(ann, game, status=409))["code"] == "game_not_open"
    assert log[1]["data"]["client_seed"] == default_client_seed(game["id"], ann.player["id"])


async def test_every_form_of_joining_announces_a_seed(ann: Player, bob: Player) -> None:
    for path in ("id", "code", "invitation"):
        game = await ann.create(visibility="private", clock=SLOW)
        if path == "id":
            game = await bob.post(f"/games/{game['id']}/join", {"code": game["code"], "late_seed": True})
        elif path == "code":
            game = await bob.post("/games/join", {"code": game["code"], "late_seed": True})
        else:
            invited = await ann.post(f"/games/{game['id']}/invitations", {"player": bob.player["id"]}, 201)
            game = await bob.post(f"/invitations/{invited['id']}/accept", {"late_seed": True})
        assert (game["status"], game["start"]["waiting_for"]) == ("open", [1])
        assert (await give(bob, game))["status"] == "playing"


async def test_a_rematch_waits_for_the_seeds_of_all_who_announced_one(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    await ann.post(f"/games/{game['id']}/leave")
    after = await ann.post(f"/games/{game['id']}/rematch", {"late_seed": True})
    assert (after["status"], after["start"]) == ("open", {"waiting_for": [0], "deadline_at": None})
    after = await bob.post(f"/games/{game['id']}/rematch", {"late_seed": True})
    assert after["start"]["waiting_for"] == [0, 1]
    again = await bob.post(f"/games/{game['id']}/rematch", {"late_seed": True})
    assert (again["id"], again["version"]) == (after["id"], after["version"])
    assert (await give(ann, after))["status"] == "open"
    assert (await give(bob, after))["status"] == "playing"


async def test_the_creator_may_start_without_a_seed_that_was_announced(ann: Player, bob: Player) -> None:
    game = await ann.create(seats=3)
    await bob.post(f"/games/{game['id']}/join", {"late_seed": True})
    assert (await ann.post(f"/games/{game['id']}/start"))["status"] == "playing"


async def test_a_leaver_frees_the_seat_and_the_game_waits_for_players_again(ann: Player, bob: Player) -> None:
    game = await ann.create()
    await bob.post(f"/games/{game['id']}/join", {"late_seed": True})
    left = await bob.post(f"/games/{game['id']}/leave")
    assert (left["status"], left["start"]) == ("open", {"waiting_for": [], "deadline_at": None})
    assert (await bob.join(game))["status"] == "playing"


async def test_a_deleted_player_frees_the_seat_that_the_game_waits_for(ann: Player, bob: Player) -> None:
    game = await ann.create()
    await bob.post(f"/games/{game['id']}/join", {"late_seed": True})
    assert (await bob.http.delete("/players/me")).status_code == 204
    view = await ann.view(game)
    assert (view["status"], view["start"]) == ("open", {"waiting_for": [], "deadline_at": None})


# Refusals


@pytest.mark.parametrize(
    "body",
    [
        {},
        None,
        [],
        "seed",
        {"client_seed": None},
        {"client_seed": 7},
        {"client_seed": "no good"},
        {"client_seed": "x" * 65},
        {"client_seed": "\u0000"},
        {"client_seed": {"a": [1]}},
    ],
)
async def test_a_body_that_holds_no_seed_is_malformed(ann: Player, body: Any) -> None:
    game = await ann.create()
    assert (await ann.post(f"/games/{game['id']}/seed", body, 400))["code"] == "malformed"
    assert (await ann.view(game))["version"] == game["version"]


async def test_a_large_body_is_refused_by_its_size(ann: Player) -> None:
    game = await ann.create()
    refused = await ann.post(f"/games/{game['id']}/seed", {"client_seed": "x" * 70_000}, 413)
    assert refused["code"] == "too_large"


@pytest.mark.parametrize("announced", [1, "true", None, []])
async def test_an_announcement_is_true_or_false(ann: Player, bob: Player, announced: Any) -> None:
    game = await ann.create()
    for player, path, body in (
        (ann, "/games", {"ruleset": "qwixx"}),
        (bob, f"/games/{game['id']}/join", {}),
        (bob, "/games/join", {"code": game["code"]}),
        (bob, "/matchmaking", {"ruleset": "qwixx", "sheet": "classic", "seats": 2}),
    ):
        assert (await player.post(path, {**body, "late_seed": announced}, 400))["errors"][0]["pointer"] == "/late_seed"


async def test_who_may_not_give_a_seed_is_told_why(ann: Player, bob: Player, new_player: NewPlayer) -> None:
    game = await ann.create()
    assert (await give(bob, game, status=403))["code"] == "not_seated"
    hidden = await ann.create(visibility="private")
    assert (await give(bob, hidden, status=404))["code"] == "not_found"
    await bob.join(game)
    assert (await give(bob, game, status=409))["code"] == "game_not_open"
    assert (await give(await new_player(), game, status=403))["code"] == "not_seated"
    await bob.post(f"/games/{game['id']}/leave")
    assert (await give(bob, game, status=409))["code"] == "game_over"


async def test_a_stale_version_and_a_reused_key_are_refused(ann: Player) -> None:
    game = await ann.create()
    path, body = f"/games/{game['id']}/seed", {"client_seed": "one"}
    stale = await ann.http.post(path, json=body, headers={"If-Match": '"1"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "version_mismatch")
    headers = {"Idempotency-Key": "seed-1"}
    first = await ann.http.post(path, json=body, headers=headers)
    await give(ann, game, "two")
    again = await ann.http.post(path, json=body, headers=headers)
    assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")
    other = await ann.http.post(path, json={"client_seed": "three"}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert (await types(ann, game)).count("seed_given") == 2


# Races


async def test_seeds_of_all_seats_at_once_start_the_game_once(new_player: NewPlayer) -> None:
    players = [await new_player() for _ in range(5)]
    game = await players[0].create(seats=5, late_seed=True, clock=SLOW)
    for player in players[1:]:
        await player.post(f"/games/{game['id']}/join", {"late_seed": True})
    views = await asyncio.gather(*(give(player, game) for player in players))
    assert [view["status"] for view in views].count("playing") == 1
    assert (await types(players[0], game)).count("game_started") == 1


async def test_a_seed_and_the_start_at_once_are_stored_in_one_order(ann: Player, bob: Player) -> None:
    for _ in range(8):
        game = await ann.create()
        await bob.post(f"/games/{game['id']}/join", {"late_seed": True})
        body = {"client_seed": "race"}
        given, begun = await asyncio.gather(
            bob.http.post(f"/games/{game['id']}/seed", json=body), ann.http.post(f"/games/{game['id']}/start")
        )
        refused = next(answer for answer in (given, begun) if answer.status_code != 200)
        assert (refused.status_code, refused.json()["code"]) == (409, "game_not_open")
        started = [event for event in await events(ann, game) if event["type"] == "game_started"]
        assert len(started) == 1
        assert ("seed_given" in await types(ann, game)) == (given.status_code == 200)


# The proof


async def test_the_proof_says_of_each_seat_whether_its_seed_was_late(ann: Player, bob: Player) -> None:
    game = await ann.create(client_seed="early", clock=SLOW)
    await bob.post(f"/games/{game['id']}/join", {"client_seed": "with-the-join"})
    await ann.post(f"/games/{game['id']}/leave")
    proof = await ann.get(f"/games/{game['id']}/proof")
    assert (proof["client_seeds"], proof["late_seeds"]) == (["early", "with-the-join"], [False, True])
    assert proof["detail"].startswith("Seat 1 gave its client seed after the commitment.")
    alone = await ann.create(bots=["easy"], clock=SLOW)
    await ann.post(f"/games/{alone['id']}/leave")
    proof = await ann.get(f"/games/{alone['id']}/proof", headers={"Accept-Language": "de"})
    assert proof["late_seeds"] == [False, False]
    assert proof["detail"].startswith("Kein Client-Seed")
