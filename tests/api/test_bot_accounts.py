"""Bot accounts: made by an account, played by programs through the same calls and streams, never in rated games."""

import asyncio
import functools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from players.database.ids import uuid_of
from players.limits.budgets import BOTS_PER_ACCOUNT
from players.models import Player as PlayerRow
from players.models import Session
from players.moderation.bans import PERMANENT
from players.sessions import lifecycle
from tests.api.client import Player
from tests.api.conftest import NewPlayer
from tests.players.conftest import NOW, in_a_thread
from tests.streams.client import Socket


@pytest.fixture
async def owner(new_player: NewPlayer) -> Player:
    """Ann, whose guest has become an account."""
    ann = await new_player("Ann")
    await in_a_thread(PlayerRow.objects.filter(pk=ann.player["id"]).update, email="ann@example.org")
    await in_a_thread(lifecycle.revoke_all, uuid_of(ann.player["id"]), NOW)
    opened = await in_a_thread(lifecycle.open_session, await in_a_thread(account_of, ann), "phone", NOW)
    ann.http.headers["Authorization"] = f"Bearer {opened.token}"
    return ann


def account_of(player: Player) -> PlayerRow:
    return PlayerRow.objects.get(pk=player.player["id"])


async def bot_of(owner: Player, name: str = "Robot") -> Player:
    """A bot account of the owner, as its program sees it."""
    bot = await owner.post("/players/me/bots", {"name": name}, 201)
    body = {"name": "program", "scopes": ["bots"], "bot": bot["id"]}
    made = await owner.post("/players/me/tokens", body, 201)
    assert made["player"] == {name: bot[name] for name in ("id", "name", "is_guest", "is_bot")}
    http = httpx.AsyncClient(base_url=owner.http.base_url, timeout=60)
    http.headers["Authorization"] = f"Bearer {made['token']}"
    return Player(http, bot, made["token"])


@pytest.fixture
async def robot(owner: Player) -> AsyncIterator[Player]:
    async with await bot_of(owner) as robot:
        yield robot


async def play_by_stream(server: str, player: Player, game: str) -> dict[str, Any]:
    """Post the first option of every view until the game is over; the last view."""
    async with await Socket.open(server, f"/ws/v1/games/{game}?view=full", player.token) as socket:
        view = (await socket.until(lambda frame: frame["type"] == "state"))["game"]
        number = 0
        while view["result"] is None:
            if view["options"] and view["your_answer"] is None:
                number += 1
                await socket.send(type="action", id=str(number), action=view["options"][0])
            view = (await socket.until(functools.partial(is_newer, view["version"])))["game"]
        return dict(view)


def is_newer(version: int, frame: dict[str, Any]) -> bool:
    return frame["type"] == "update" and frame["game"] is not None and frame["version"] > version


async def test_a_person_challenges_a_bot_account_and_plays_a_whole_game_with_it(
    server: str, bob: Player, robot: Player
) -> None:
    game = await bob.create(visibility="private", clock=None)
    async with await Socket.open(server, "/ws/v1/me", robot.token) as notified:
        await notified.until(lambda frame: frame["type"] == "hello")
        await bob.post(f"/games/{game['id']}/invitations", {"player": robot.player["id"]}, 201)
        invited = await notified.until(lambda frame: frame["type"] == "invited")
    [invitation] = (await robot.get("/invitations"))["results"]
    assert invitation["id"] == invited["invitation"]
    started = await robot.post(f"/invitations/{invitation['id']}/accept")
    assert started["status"] == "playing"
    seated = next(seat["player"] for seat in started["seats"] if seat["seat"] == started["you"])
    assert seated == {"id": robot.player["id"], "name": "Robot", "is_guest": False, "is_bot": True}
    of_robot, of_bob = await asyncio.gather(
        play_by_stream(server, robot, game["id"]), play_by_stream(server, bob, game["id"])
    )
    assert of_robot["result"] == of_bob["result"] is not None
    profile = await bob.get(f"/players/{robot.player['id']}")
    assert (profile["is_bot"], profile["is_guest"]) == (True, False)
    [summary] = (await robot.get("/games", params={"mine": "true"}))["results"]
    assert {seat["player"]["is_bot"] for seat in summary["seats"]} == {True, False}


async def test_a_bot_account_sits_in_no_rated_game(bob: Player, robot: Player) -> None:
    def is_refused(answer: Any) -> bool:
        return bool(answer["code"] == "rated_needs_people")

    assert is_refused(await robot.create(422, rated=True))
    rated = await bob.create(rated=True, seats=3)
    assert is_refused(await robot.join(rated, 422))
    assert is_refused(await bob.post(f"/games/{rated['id']}/invitations", {"player": robot.player["id"]}, 422))
    queue = {"ruleset": "qwixx", "sheet": "classic", "seats": 2}
    assert is_refused(await robot.post("/matchmaking", {**queue, "rated": True}, 422))
    await robot.post("/matchmaking", queue, 202)
    private = await bob.create(rated=True, visibility="private")
    await robot.post("/games/join", {"code": private["code"]}, 404)  # as every code that cannot be used
    assert (await bob.view(rated))["version"] == rated["version"]


async def test_a_token_of_a_bot_plays_and_reads_and_does_nothing_else(owner: Player, robot: Player) -> None:
    for method, path in (("GET", "/webhooks"), ("GET", "/players/me/tokens"), ("POST", "/players/me/bots")):
        answer = await robot.http.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    for body in ({"scopes": ["bots"]}, {"scopes": ["play"], "bot": robot.player["id"]}):
        refused = await owner.post("/players/me/tokens", {"name": "x", **body}, 400)
        assert refused["errors"][0]["pointer"] == "/scopes"


async def test_only_the_owner_makes_tokens_of_a_bot_and_deletes_it(
    owner: Player, robot: Player, new_player: NewPlayer
) -> None:
    eve = await new_player("Eve")
    await in_a_thread(PlayerRow.objects.filter(pk=eve.player["id"]).update, email="eve@example.org")
    body = {"name": "x", "scopes": ["bots"], "bot": robot.player["id"]}
    assert (await eve.post("/players/me/tokens", body, 400))["errors"][0]["pointer"] == "/bot"
    assert (await eve.http.delete(f"/players/me/bots/{robot.player['id']}")).status_code == 404
    assert (await owner.http.delete(f"/players/me/bots/{robot.player['id']}")).status_code == 204
    assert (await owner.get("/players/me/bots"))["results"] == []
    await robot.get("/players/me", 401)


async def test_an_account_has_five_bots_at_most_and_a_repeated_request_makes_one(owner: Player) -> None:
    again = {"headers": {"Idempotency-Key": "robot-1"}}
    first = await owner.post("/players/me/bots", {"name": "Robot"}, 201, **again)
    assert await owner.post("/players/me/bots", {"name": "Robot"}, 201, **again) == first
    for _ in range(BOTS_PER_ACCOUNT - 1):
        await owner.post("/players/me/bots", {"name": "Robot"}, 201)
    assert (await owner.post("/players/me/bots", {"name": "Robot"}, 409))["code"] == "too_many_bots"


async def test_the_owner_exports_bots_and_tokens_and_takes_them_along_when_deleted(
    owner: Player, robot: Player, bob: Player
) -> None:
    game = await bob.join(await robot.create())
    exported = await owner.get("/players/me/export")
    assert [bot["id"] for bot in exported["bots"]] == [robot.player["id"]]
    assert {row["player"] for row in exported["sessions"]} == {owner.player["id"], robot.player["id"]}
    assert (await owner.http.delete("/players/me")).status_code == 204
    await robot.get("/players/me", 401)
    view = await bob.view(game)
    assert view["status"] == "finished"
    assert "Player" in [seat["player"]["name"] for seat in view["seats"]]
    assert not await in_a_thread(Session.objects.filter(player=robot.player["id"]).exists)


async def test_a_ban_of_the_owner_stops_the_bot_and_closes_its_streams(
    server: str, owner: Player, robot: Player
) -> None:
    await robot.get("/players/me")
    async with await Socket.open(server, "/ws/v1/me", robot.token) as socket:
        await socket.until(lambda frame: frame["type"] == "hello")
        ban = PlayerRow.objects.filter(pk=owner.player["id"]).update
        await in_a_thread(ban, banned_until=PERMANENT)
        await asyncio.wait_for(socket.line.wait_closed(), 20)
        await socket.until_settled()
        assert socket.close_code == 4403
    assert (await robot.get("/players/me", 403))["code"] == "banned"


async def test_bots_of_one_owner_play_each_other(server: str, owner: Player, robot: Player) -> None:
    async with AsyncExitStack() as stack:
        other = await stack.enter_async_context(await bot_of(owner, "Other"))
        game = await robot.join(await other.create(ruleset="qwinto"))
        views = await asyncio.gather(*(play_by_stream(server, bot, game["id"]) for bot in (robot, other)))
    assert {view["status"] for view in views} == {"finished"}
