"""Clients that do not read what they are sent, and clients that do."""

import asyncio

import msgspec

from players.limits.budgets import LARGEST_BACKLOG
from tests.api.client import Player, table
from tests.streams.client import watch
from tests.streams.counted import has, metric, until
from tests.streams.player import Phone
from tests.streams.raw import open_raw

FLOODED = 'qwixx_http_rejected_total{limit="frames"}'
TOO_SLOW = 'qwixx_sockets_closed_total{code="4408"}'


async def test_a_client_that_does_not_read_is_closed_with_4408(ann: Player, bob: Player, server: str) -> None:
    game = await table([ann, bob])
    async with asyncio.timeout(60):
        await asyncio.gather(*(Phone(server, game["id"], player.token, "x").play() for player in (ann, bob)))
    before = await metric(server, TOO_SLOW)
    line = await open_raw(server, f"/ws/v1/games/{game['id']}?after=0", ann.token, receive_buffer=4096)
    for _ in range(150):  # each asks for the whole log again, and nothing is read
        line.send({"type": "resume", "after": 0})
    async with asyncio.timeout(30):
        await until(lambda: has(server, TOO_SLOW, before + 1))
        line.writer.write(b"\x88\x80" + bytes(4))  # confirms the close, which comes after all that was sent before
        assert (await line.rest()).endswith(b"\x88\x02" + (4408).to_bytes(2, "big"))


async def test_a_client_that_floods_pings_and_reads_no_pongs_is_closed_with_4429(ann: Player, server: str) -> None:
    """uvicorn answers pings by itself; they are counted before pongs can fill the memory of the process."""
    game = await ann.create()
    before = await metric(server, FLOODED)
    line = await open_raw(server, f"/ws/v1/games/{game['id']}", ann.token, receive_buffer=4096)
    line.writer.write((b"\x89\xfd" + bytes(4) + b"x" * 125) * 30_000)
    async with asyncio.timeout(20):
        await until(lambda: has(server, FLOODED, before + 1))
        assert (await line.rest()).endswith(b"\x88\x02" + (4429).to_bytes(2, "big"))


async def test_a_client_that_reads_may_be_sent_as_much_as_it_asks_for(ann: Player, bob: Player, server: str) -> None:
    """Many times what may wait for a client: what it has read does not wait any more."""
    game = await table([ann, bob])
    async with asyncio.timeout(60):
        await asyncio.gather(*(Phone(server, game["id"], player.token, "x").play() for player in (ann, bob)))
    socket = await watch(ann, game, after=0, compression=None, max_size=None)
    async with socket:
        received = 0
        while received < 4 * LARGEST_BACKLOG:
            await socket.send(type="resume", after=0)
            await socket.next("update")
            received = sum(len(msgspec.json.encode(frame)) for frame in socket.frames)
        assert socket.close_code is None
