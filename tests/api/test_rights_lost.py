"""The table of permissions after a right was lost: open streams of a private game end at once, whatever the adapter."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from datetime import timedelta
from uuid import UUID

import httpx
import pytest

from players.moderation import staff_actions
from tests.api.client import Json, Player
from tests.players.conftest import NOW, in_a_thread
from tests.server import web_process
from tests.streams.client import Socket, watch

READS = ("", "?version=1", "/stream", "/events?wait=30", "/events", "/export", "/proof", "/share-link", "?share=x")
NOT_FOUND = 404
AT_ONCE_S = 5.0  # of a busy machine; a heartbeat would take 15
LATER = timedelta(days=100_000)

Loss = Callable[[Player, Player, Json], Awaitable[None]]


async def freed(creator: Player, player: Player, game: Json) -> None:
    assert (await creator.http.delete(f"/games/{game['id']}/seats/1")).status_code == 200


async def left(creator: Player, player: Player, game: Json) -> None:
    await player.post(f"/games/{game['id']}/leave")


async def banned(creator: Player, player: Player, game: Json) -> None:
    by, whom = UUID(creator.player["id"]), UUID(player.player["id"])
    await in_a_thread(staff_actions.ban, whom, NOW + LATER, by, "A test.", NOW)


async def revoked(creator: Player, player: Player, game: Json) -> None:
    assert (await player.http.delete("/sessions/current")).status_code == 204


async def deleted(creator: Player, player: Player, game: Json) -> None:
    assert (await player.http.delete("/players/me")).status_code == 204


# What was lost: the answer of a long poll, the close code of a socket, and the status of the next request.
TABLE: dict[Loss, tuple[int, int, int]] = {
    freed: (404, 4404, 404),
    left: (404, 4404, 404),
    banned: (403, 4403, 403),
    revoked: (401, 4401, 401),
    deleted: (401, 4401, 401),
}


@pytest.fixture
async def two(server: str, transactional_db: None) -> AsyncIterator[tuple[Player, Player]]:
    async with AsyncExitStack() as stack:
        ann = await stack.enter_async_context(await Player.arrive(server, "Ann"))
        yield ann, await stack.enter_async_context(await Player.arrive(server, "Bob"))


async def seated(ann: Player, bob: Player) -> Json:
    game = await ann.create(visibility="private", seats=3)
    joined: Json = await bob.post("/games/join", {"code": game["code"]})
    return joined


@pytest.mark.parametrize("is_elsewhere", [False, True], ids=["same process", "another process"])
@pytest.mark.parametrize("lose", TABLE, ids=lambda lose: lose.__name__)
async def test_open_streams_of_a_private_game_end_when_the_right_is_lost(
    two: tuple[Player, Player], server: str, second: str, lose: Loss, is_elsewhere: bool
) -> None:
    ann, bob = two
    address = second if is_elsewhere else server
    game = await seated(ann, bob)
    async with AsyncExitStack() as stack:
        headers = {"Authorization": f"Bearer {bob.token}"}
        http = await stack.enter_async_context(
            httpx.AsyncClient(base_url=f"{address}/api/v1/games/{game['id']}", headers=headers, timeout=60)
        )
        socket = await stack.enter_async_context(await watch(bob, game, address=address))
        await socket.next("state")
        stream = await stack.enter_async_context(http.stream("GET", "/stream"))
        lines = stream.aiter_lines()
        assert [await version(lines) for _ in range(game["version"])][-1] == game["version"]
        poll = asyncio.create_task(http.get(f"/events?after={game['version']}&wait=30"))
        await two_round_trips(http)
        await lose(ann, bob, game)
        async with asyncio.timeout(AT_ONCE_S):
            rest = [line async for line in lines]
            answer, code = await poll, await socket.closed()
        again = await http.get("/events")
    assert (answer.status_code, code, again.status_code) == TABLE[lose]
    assert not [line for line in rest if line.startswith(("id:", "data:"))], "nothing leaves after the right is lost"
    assert socket.versions == []


@pytest.mark.parametrize("is_elsewhere", [False, True], ids=["same process", "another process"])
@pytest.mark.parametrize("lose", [banned, revoked, deleted], ids=lambda lose: lose.__name__)
async def test_sockets_that_follow_no_game_end_when_the_session_or_the_player_may_no_longer_look(
    two: tuple[Player, Player], server: str, second: str, lose: Loss, is_elsewhere: bool
) -> None:
    ann, bob = two
    game = await seated(ann, bob)
    address = second if is_elsewhere else server
    async with AsyncExitStack() as stack:
        sockets = [
            await stack.enter_async_context(await Socket.open(address, path, bob.token))
            for path in ("/ws/v1/lobby", "/ws/v1/me")
        ]
        for socket in sockets:
            await socket.next("hello")
        await lose(ann, bob, game)
        async with asyncio.timeout(AT_ONCE_S):
            assert [await socket.closed() for socket in sockets] == [TABLE[lose][1]] * 2
    if lose is banned:
        await is_refused_within_a_second(bob)
    for path in ("/ws/v1/lobby", "/ws/v1/me"):
        async with await Socket.open(server, path, bob.token) as socket:
            assert (await socket.closed(), socket.frames) == (TABLE[lose][1], [])


@pytest.fixture(scope="module")
def second(django_db_setup: None) -> Iterator[str]:
    with web_process() as address:
        yield address


async def version(lines: AsyncIterator[str]) -> int:
    async for line in lines:
        if line.startswith("data: "):
            return int(json.loads(line.removeprefix("data: "))["version"])
    raise AssertionError("the stream has ended")


async def two_round_trips(http: httpx.AsyncClient) -> None:
    """The poll, which was sent before, waits by now; if it does not, its first read is refused all the same."""
    for _ in range(2):
        assert (await http.get("/events")).status_code == 200


@pytest.mark.parametrize("lose", TABLE, ids=lambda lose: lose.__name__)
async def test_no_stream_of_a_private_game_opens_after_the_right_was_lost(
    two: tuple[Player, Player], server: str, lose: Loss
) -> None:
    ann, bob = two
    game = await seated(ann, bob)
    await lose(ann, bob, game)
    status = TABLE[lose][2]
    if lose is banned:  # by another process than the server, which learns of it within a second
        await is_refused_within_a_second(bob)
    for path in READS:
        answer = await bob.http.get(f"/games/{game['id']}{path}")
        assert (path, answer.status_code) == (path, status)
    preview = await bob.http.post(f"/games/{game['id']}/actions/preview", json={"type": "pass"})
    assert preview.status_code == status
    own = await bob.http.get("/players/me/games/stream")  # of finished games, of which there is none
    assert own.status_code == (200 if status == NOT_FOUND else status)
    async with await Socket.open(server, f"/ws/v1/games/{game['id']}", bob.token) as socket:
        assert (await socket.closed(), socket.frames) == (TABLE[lose][1], [])


async def is_refused_within_a_second(player: Player) -> None:
    """Measured to the start of a request, so that a slow response of a busy machine does not count."""
    lost = called = time.monotonic()
    while (await player.http.get("/players/me")).status_code == 200:
        assert called - lost < 1
        called = time.monotonic()


async def test_a_block_ends_no_stream_of_a_public_game_for_any_of_the_two(
    two: tuple[Player, Player], server: str
) -> None:
    """Public games stay public: a block keeps two players from being brought together, and hides no game."""
    ann, bob = two
    game = await ann.create(seats=3)
    async with AsyncExitStack() as stack:
        socket = await stack.enter_async_context(await watch(bob, game, address=server))
        await socket.next("state")
        stream = await stack.enter_async_context(bob.http.stream("GET", f"/games/{game['id']}/stream"))
        lines = stream.aiter_lines()
        assert [await version(lines) for _ in range(game["version"])][-1] == game["version"]
        poll = asyncio.create_task(bob.http.get(f"/games/{game['id']}/events?after={game['version']}&wait=30"))
        for blocker, other in (ann, bob), (bob, ann):
            assert (await blocker.http.put(f"/players/me/blocks/{other.player['id']}")).status_code == 204
        await ann.post(f"/games/{game['id']}/bots", {"level": "easy"})
        async with asyncio.timeout(AT_ONCE_S):
            assert await version(lines) == game["version"] + 1
            assert [event["version"] for event in (await poll).json()["results"]] == [game["version"] + 1]
            await socket.next("update")
