"""Notifications reach their player within a heartbeat while Redis is down, and are not sent again."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from uuid import UUID

import pytest

from games import runtime
from games.clock import now
from games.results import projector
from games.streams.channels import missed_notifications
from games.streams.frames import HEARTBEAT_S
from games.tasks import matchmaker
from qwixx_service.embedded.server_process import Server
from tests.api.client import Json, Player
from tests.results.game_logs import ended, stored
from tests.streams.client import Socket
from tests.streams.conftest import ProxiedPair
from tests.streams.test_notifications import WISH, in_a_thread

KINDS = ("match_found", "invited", "rating_changed")


@pytest.fixture
def here() -> Iterator[None]:
    """A worker's engine: it tells what it does through the tests' Valkey, of which the pair knows nothing."""
    yield
    runtime.end()


async def meet_and_play(ann: Player, bob: Player) -> list[Json]:
    """Cause one notification of each type, and return those for Ann."""
    table = await bob.create(seats=3)
    sent = await bob.post(f"/games/{table['id']}/invitations", {"player": ann.player["id"]}, 201)
    ticket = await ann.post("/matchmaking", WISH, 202)
    await bob.post("/matchmaking", WISH, 202)

    def work() -> str:
        matchmaker.sweep(now())
        (over,) = stored(
            [ended([UUID(ann.player["id"]), UUID(bob.player["id"])], [40, 40], now())]
        )  # equals meet again
        projector.project_new()
        return str(over)

    over = await in_a_thread(work)
    matched = await ann.get(f"/matchmaking/{ticket['ticket']}")
    stats = (await ann.get(f"/players/{ann.player['id']}/stats"))["results"]
    (rating,) = [each["rating"] for each in stats if each["ruleset"] == "qwixx"]
    points = [point["value"] for point in rating["history"]]  # the newest first
    before = points[1] if len(points) > 1 else 1000
    return [
        {"type": "match_found", "ticket": ticket["ticket"], "game": matched["game"]},
        {"type": "invited", "invitation": sent["id"], "game": table["id"], "by": bob.player},
        {
            "type": "rating_changed",
            "ruleset": "qwixx",
            "game": over,
            "rating": {"value": rating["value"], "before": before, "provisional": True},
        },
    ]


def news(socket: Socket) -> list[Json]:
    return [frame for kind in KINDS for frame in socket.frames if frame["type"] == kind]


async def test_notifications_reach_a_player_while_valkey_is_down_and_are_sent_once(
    pair: ProxiedPair, sockets: AsyncExitStack, own_valkey: Server, here: None
) -> None:
    pair.turn_to(own_valkey)
    ann, bob = await pair.arrive(sockets, 2)
    mine = await sockets.enter_async_context(await Socket.open(pair.addresses[0], "/ws/v1/me", ann.token))
    await mine.next("hello")
    await mine.ponged()
    assert own_valkey.process is not None
    own_valkey.process.kill()
    own_valkey.process.wait(10)
    told = await meet_and_play(ann, bob)
    async with asyncio.timeout(HEARTBEAT_S):
        await mine.has(told)
    assert news(mine) == told

    # Messages that waited for Valkey arrive now and are dropped as known. A new socket gets no old notification.
    await asyncio.to_thread(own_valkey.start)
    late = await sockets.enter_async_context(await Socket.open(pair.addresses[1], "/ws/v1/me", ann.token))
    await late.next("hello")
    await late.ponged()
    again = await meet_and_play(ann, bob)
    async with asyncio.timeout(HEARTBEAT_S):
        await asyncio.gather(*(socket.has(again) for socket in (mine, late)))
    await asyncio.gather(*(socket.next("heartbeat") for socket in (mine, late)))
    assert sorted(news(mine), key=str) == sorted([*told, *again], key=str)
    assert news(late) == again


async def test_an_invitation_is_found_as_long_as_it_is_one(ann: Player, bob: Player) -> None:
    async def found() -> list[str]:
        told = await in_a_thread(lambda: missed_notifications.recent([UUID(ann.player["id"])], now()))
        return [player for player, message in told if sent["id"].encode() in message]

    block = f"/players/me/blocks/{bob.player['id']}"
    await ann.http.put(block)
    game = await bob.create(seats=3)
    sent = await bob.post(f"/games/{game['id']}/invitations", {"player": ann.player["id"]}, 201)
    assert await found() == []
    await ann.http.delete(block)
    assert await found() == [ann.player["id"]]
    await ann.join(game)
    assert await found() == []
