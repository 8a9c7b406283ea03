"""Floods of frames that uvicorn handles before the service sees them: other clients are answered, memory is bounded."""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.api.client import Player
from tests.api.conftest import NewPlayer
from tests.server import web_process
from tests.streams.counted import metric
from tests.streams.raw import open_raw

FLOOD_S = 2.0
ANSWERED_WITHIN_S = 5.0  # of a busy machine; with the receive buffers of the kernel it is over 20
MOST_GROWTH = 50 * 1024 * 1024
MEMORY = "process_resident_memory_bytes"
MASK = bytes(4)
FLOODS = {
    "pings": b"\x89\x80" + MASK,
    "full pings": b"\x89\xfd" + MASK + bytes(125),
    "pongs": b"\x8a\x80" + MASK,
    "empty continuations": b"\x00\x80" + MASK,
}
OPENING = b"\x01\x80" + MASK  # of a text message whose rest follows


@pytest.fixture(scope="module")
def flooded(django_db_setup: None) -> Iterator[str]:
    with web_process() as address:
        yield address


def flood(line: socket.socket, data: bytes, ends: threading.Event) -> None:
    """As fast as the server takes it; what it answers is read and dropped."""
    line.settimeout(0.1)
    reader = threading.Thread(target=drain, args=(line, ends))
    reader.start()
    with contextlib.suppress(OSError):
        while not ends.is_set():
            with contextlib.suppress(TimeoutError):
                line.sendall(data)
    reader.join()


def drain(line: socket.socket, ends: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while not ends.is_set():
            with contextlib.suppress(TimeoutError):
                if not line.recv(1 << 20):
                    return


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_flood_of_frames_delays_no_other_client(new_player: NewPlayer, flooded: str, kind: str) -> None:
    ann, bob = await new_player("Ann", flooded), await new_player("Bob", flooded)
    game = await ann.create()
    before = await metric(flooded, MEMORY)
    line = await open_raw(flooded, f"/ws/v1/games/{game['id']}", ann.token)
    taken = line.writer.get_extra_info("socket").dup()
    ends = threading.Event()
    data = (OPENING if kind.startswith("empty") else b"") + FLOODS[kind] * 10_000
    flooding = asyncio.create_task(asyncio.to_thread(flood, taken, data, ends))
    slowest = await slowest_answer(bob)
    ends.set()
    await flooding
    taken.close()
    line.abort()
    grown = await metric(flooded, MEMORY) - before
    assert slowest < ANSWERED_WITHIN_S
    assert grown < MOST_GROWTH


async def slowest_answer(player: Player) -> float:
    slowest, until = 0.0, time.monotonic() + FLOOD_S
    while time.monotonic() < until:
        began = time.monotonic()
        await player.get("/players/me")
        slowest = max(slowest, time.monotonic() - began)
    return slowest
