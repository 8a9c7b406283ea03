"""How sockets end: every refusal and every bad frame with its code, and without effect on other sockets."""

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.api.client import Player, table
from tests.api.conftest import NewPlayer
from tests.server import database_url, web_process
from tests.streams.client import Socket, watch
from tests.streams.conftest import Open, ProxiedPair, Watch
from tests.streams.counted import has, until
from tests.streams.raw import open_raw

UNKNOWN = "00000000-0000-7000-8000-000000000000"
DEEP = '{"type":"action","id":"1","action":' + "[" * 40 + "]" * 40 + "}"
BAD_FRAMES: list[Any] = [
    "",
    "not json",
    "[]",
    "null",
    '"ping"',
    "{}",
    '{"type":7}',
    '{"type":"dance"}',
    '{"type":"ping"} {"type":"ping"}',
    '{"type":"ping","type":"ping"}',
    '{"type":"action","action":{"type":"roll"}}',
    '{"type":"action","id":"","action":{"type":"roll"}}',
    '{"type":"action","id":7,"action":{"type":"roll"}}',
    '{"type":"action","id":"' + "x" * 65 + '","action":{"type":"roll"}}',
    '{"type":"resume"}',
    '{"type":"resume","after":"1"}',
    '{"type":"resume","after":-1}',
    '{"type":"resume","after":true}',
    '{"type":"resume","after":1e999}',
    '{"type":"action","id":"\\ud800","action":{"type":"roll"}}',
    DEEP,
    b'{"type":"ping"}',
    b"\x00\xff",
    '{"type":"ping","more":"' + "x" * 66_000 + '"}',
    "x" * 1_000_000,
]


async def test_a_refused_socket_is_accepted_and_closed_with_its_code(ann: Player, cid: Player, opening: Open) -> None:
    private = await ann.create(visibility="private")
    refused = [
        (f"/ws/v1/games/{private['id']}", None, 4401),
        (f"/ws/v1/games/{private['id']}", "qx_" + "x" * 43, 4401),
        ("/ws/v1/me", "rubbish", 4401),
        ("/ws/v1/lobby", None, 4401),
        (f"/ws/v1/games/{private['id']}", cid.token, 4404),
        (f"/ws/v1/games/{UNKNOWN}", cid.token, 4404),
        ("/ws/v1/games/not-an-id", cid.token, 4404),
        ("/ws/v1/nothing", cid.token, 4404),
        (f"/ws/v1/games/{private['id']}?after=now", ann.token, 4400),
        (f"/ws/v1/games/{private['id']}?view=none", ann.token, 4400),
        (f"/ws/v1/games/{private['id']}?view=", ann.token, 4400),
        ("/ws/v1/lobby?ruleset=chess", ann.token, 4400),
        ("/ws/v1/lobby?sheet=none", ann.token, 4400),
    ]
    for path, token, code in refused:
        socket = await opening(path, token)
        assert (path, await socket.closed(), socket.frames) == (path, code, [])


async def test_a_client_that_offers_no_subprotocol_is_served(ann: Player, opening: Open) -> None:
    socket = await opening("/ws/v1/me", ann.token, subprotocols=None)
    assert (await socket.next("hello"))["version"] is None
    assert socket.line.subprotocol is None
    uncompressed = await opening("/ws/v1/me", ann.token, compression=None)
    await uncompressed.next("hello")


@pytest.mark.parametrize("compression", ["deflate", None])
async def test_bad_frames_close_their_own_socket_and_no_other(
    ann: Player, watching: Watch, compression: str | None
) -> None:
    game = await ann.create()
    witness = await watching(ann, game)
    for frame in BAD_FRAMES:
        socket = await watching(ann, game, compression=compression)
        await socket.next("state")
        with contextlib.suppress(ConnectionClosed):
            await socket.line.send(frame)
        assert (frame[:60], await socket.closed()) == (frame[:60], 4400)
    await witness.ponged()
    assert witness.close_code is None


@pytest.mark.parametrize("path", ["/ws/v1/lobby", "/ws/v1/me"])
async def test_streams_that_follow_no_game_take_pings_and_nothing_else(ann: Player, opening: Open, path: str) -> None:
    socket = await opening(path, ann.token)
    await socket.send(type="ping")
    assert (await socket.next("heartbeat"))["version"] is None
    await socket.send(type="action", id="1", action={"type": "roll"})
    assert await socket.closed() == 4400


async def test_a_readable_frame_with_a_bad_action_is_answered(ann: Player, bob: Player, watching: Watch) -> None:
    socket = await watching(ann, await table([ann, bob]))
    bad: list[Any] = [None, 7, [], {}, {"type": "fly"}, {"type": "mark", "row": "red"}]
    for number, action in enumerate(bad):
        error = await socket.act(str(number), action)
        assert (error["type"], error["code"]) == ("error", "malformed")


async def test_a_flood_is_closed_with_4429_and_a_fast_player_is_not(ann: Player, bob: Player, watching: Watch) -> None:
    game = await table([ann, bob])
    socket = await watching(ann, game)
    for number in range(50):
        assert (await socket.act(f"fast-{number}", {"type": "roll"}))["type"] in ("ack", "error")
    for _ in range(1500):
        try:
            await socket.send(type="ping")
        except ConnectionClosed:
            break
    assert await socket.closed() == 4429


async def test_a_revoked_token_closes_its_sockets_in_every_process(pair: ProxiedPair, sockets: Any) -> None:
    (ann,) = await pair.arrive(sockets, 1)
    game = await ann.create()
    paths = [f"/ws/v1/games/{game['id']}", "/ws/v1/lobby", "/ws/v1/me"]
    opened = [
        await sockets.enter_async_context(await Socket.open(address, path, ann.token))
        for address in pair.addresses
        for path in paths
    ]
    for socket in opened:
        await socket.next("hello")
    assert (await ann.http.delete("/sessions/current")).status_code == 204
    async with asyncio.timeout(10):
        assert [await socket.closed() for socket in opened] == [4401] * 6


async def test_a_player_who_leaves_a_private_game_is_closed_with_4404(
    ann: Player, bob: Player, watching: Watch
) -> None:
    game = await ann.create(visibility="private", seats=3)
    await bob.post("/games/join", {"code": game["code"]})
    socket = await watching(bob, game)
    await socket.next("state")
    await bob.post(f"/games/{game['id']}/leave")
    assert await socket.closed() == 4404


async def test_a_restart_is_announced_and_the_stream_goes_on(
    new_player: NewPlayer, ann: Player, bob: Player, watching: Watch
) -> None:
    game = await table([ann, bob])
    with web_process() as address:
        socket = await watch(ann, game, address=address)
        await socket.next("state")
    assert await socket.closed() == 1012
    await socket.close()
    again = await watching(ann, game, after=game["version"] - 1)
    assert (await again.next("update"))["version"] == game["version"]


FRAMES = """
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry()
MultiProcessCollector(registry)
print(*[int(registry.get_sample_value("qwixx_frames_total", {"direction": way}) or 0) for way in ("in", "out")])
"""


async def test_frames_are_counted_where_several_processes_share_a_folder(tmp_path: Path, ann: Player) -> None:
    """As soon as the last socket is closed, the shared files have all of them."""

    async def counted() -> bool:
        command, environment = (sys.executable, "-c", FRAMES), {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=subprocess.PIPE)
        said, _ = await process.communicate()
        return said.split() == [b"7", b"8"]

    with web_process(PROMETHEUS_MULTIPROC_DIR=str(tmp_path)) as elsewhere:
        async with await Socket.open(elsewhere, "/ws/v1/me", ann.token) as socket:
            for _ in range(7):
                await socket.send(type="ping")
                await socket.next("heartbeat")
        async with asyncio.timeout(20):
            await until(counted)


async def test_a_thousand_aborted_connections_leave_no_socket_behind(sockets: Any, transactional_db: None) -> None:
    """Of 13 sessions and 25 addresses, so that no budget refuses them."""
    counted = 'qwixx_sockets{kind="game"}'
    with web_process(NUM_PROXIES="1") as server:
        players = [await sockets.enter_async_context(await Player.arrive(server, f"Player {n}")) for n in range(13)]
        path = f"/ws/v1/games/{(await players[0].create())['id']}"
        for _ in range(4):
            lines = [
                await open_raw(server, path, players[number % 13].token, forwarded_for=f"192.0.2.{number % 25}")
                for number in range(250)
            ]
            async with asyncio.timeout(30):
                await until(lambda: has(server, counted, 250))
            for line in lines:
                line.abort()
            async with asyncio.timeout(30):
                await until(lambda: has(server, counted, 0))


FIRST, SECOND, NEVER = (f"00000000-0000-7000-8000-00000000000{each}" for each in range(3))
TELLS = """
import sys, django
django.setup()
from concurrent.futures import ThreadPoolExecutor
from django.db import transaction
from games import runtime
from games.runtime import tell_player
player, first, second, never = sys.argv[1:]
try:
    with transaction.atomic():
        tell_player(player, {"type": "invited", "game": never})
        raise ZeroDivisionError
except ZeroDivisionError:
    pass
with transaction.atomic():
    tell_player(player, {"type": "invited", "game": second})
    with ThreadPoolExecutor(1) as threads:
        threads.submit(tell_player, player, {"type": "rating_changed", "ruleset": "qwixx", "game": first}).result()
"""


async def test_a_player_is_notified_from_any_process_and_only_after_the_commit(ann: Player, opening: Open) -> None:
    """Here by a process that serves nothing and ends at once, as a management command does."""
    socket = await opening("/ws/v1/me", ann.token)
    await socket.next("hello")
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", TELLS, ann.player["id"], FIRST, SECOND, NEVER],
        env={**os.environ, "DATABASE_URL": database_url()},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    await socket.until(lambda frame: frame.get("game") == SECOND)
    assert [frame["game"] for frame in socket.frames if "game" in frame] == [FIRST, SECOND]
