"""Frames as they may arrive: in pieces, several at once, in fragments, masked with anything, or against all rules."""

import asyncio
import contextlib
import itertools
import struct
from random import Random

import pytest

from tests.api.client import Player
from tests.streams.raw import Raw, open_raw

CONTINUATION, TEXT, CLOSE, PING = 0x0, 0x1, 0x8, 0x9
FINAL = 0x80
ASKED = b'{"type":"ping"}'


def frame(opcode: int, payload: bytes, mask: bytes | None = b"mask", final: int = FINAL) -> bytes:
    masked = 0x80 if mask is not None else 0
    size = len(payload)
    if size < 126:
        head = bytes((final | opcode, masked | size))
    elif size < 65536:
        head = struct.pack("!BBH", final | opcode, masked | 126, size)
    else:
        head = struct.pack("!BBQ", final | opcode, masked | 127, size)
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ key for byte, key in zip(payload, itertools.cycle(mask), strict=False))


def padded(payload: bytes, size: int) -> bytes:
    return payload[:-1] + b" " * (size - len(payload)) + b"}"


def question(luck: Random) -> tuple[bytes, bytes]:
    """A message, and the first byte of the frame it is answered with."""
    mask = luck.randbytes(4)
    match luck.randrange(5):
        case 0:
            return frame(PING, luck.randbytes(luck.randrange(20)), mask), b"\x8a"
        case 1:
            start, rest = ASKED[:5], ASKED[5:]
            between = frame(CONTINUATION, b"", mask, final=0)
            return frame(TEXT, start, mask, final=0) + between + frame(CONTINUATION, rest, mask), b"\x81"
        case 2:
            return frame(TEXT, padded(ASKED, luck.choice((125, 126, 127, 1000, 60_000))), mask), b"\x81"
        case _:
            return frame(TEXT, ASKED, mask), b"\x81"


async def answers(socket: Raw, count: int) -> list[bytes]:
    """The first byte of each frame, and the code of the one that closes."""
    found = []
    for _ in range(count):
        first, size = await socket.reader.readexactly(2)
        if size == 126:
            size = int.from_bytes(await socket.reader.readexactly(2), "big")
        payload = await socket.reader.readexactly(size)
        found.append(payload[:2] if first == FINAL | CLOSE else bytes((first,)))
    return found


async def opened(ann: Player, server: str) -> Raw:
    socket = await open_raw(server, "/ws/v1/me", ann.token)
    await socket.reader.readuntil(b"\r\n\r\n")
    assert await answers(socket, 1) == [b"\x81"]  # hello
    return socket


@pytest.mark.parametrize("seed", range(8))
async def test_frames_are_understood_however_they_are_cut_up(ann: Player, server: str, seed: int) -> None:
    luck = Random(seed)
    questions = [question(luck) for _ in range(40)]
    stream = b"".join(message for message, _ in questions)
    socket = await opened(ann, server)
    async with asyncio.timeout(20):
        at = 0
        while at < len(stream):
            size = luck.choice((1, 2, 5, 20, 3000, 100_000))
            socket.writer.write(stream[at : at + size])
            await socket.writer.drain()
            if luck.random() < 0.3:
                await asyncio.sleep(0)
            at += size
        found = await answers(socket, len(questions))
    socket.abort()
    # Pongs overtake: they are the server's, and the texts are answered by the service behind it.
    assert sorted(found) == sorted(first for _, first in questions)


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (frame(TEXT, ASKED, mask=None), 1002),
        (frame(PING, b"", mask=None), 1002),
        (frame(CONTINUATION, b"more"), 1002),
        (frame(CONTINUATION, b"more") + frame(TEXT, ASKED) * 2, 1002),
        (frame(TEXT, b"{", final=0) + frame(TEXT, ASKED), 1002),
        (frame(TEXT, ASKED)[:1].replace(b"\x81", b"\x91") + frame(TEXT, ASKED)[1:], 1002),
        (frame(TEXT, b"\xff\xfe"), 1007),
        (frame(TEXT, padded(ASKED, 65_537)), 4400),
        (struct.pack("!BBQ", FINAL | TEXT, 0xFF, 2**62) + b"mask", 1009),
        (frame(CLOSE, struct.pack("!H", 1000)) + frame(TEXT, ASKED), 1000),
    ],
    ids=[
        "bare",
        "bare ping",
        "no beginning",
        "more after that",
        "no end",
        "reserved bit",
        "no text",
        "large",
        "huge",
        "after the end",
    ],
)
async def test_what_breaks_the_protocol_closes_the_socket_and_says_why(
    ann: Player, server: str, frames: bytes, code: int
) -> None:
    socket = await opened(ann, server)
    async with asyncio.timeout(10):
        socket.writer.write(frame(TEXT, ASKED))
        assert await answers(socket, 1) == [b"\x81"]
        socket.writer.write(frames)
        assert await answers(socket, 1) == [struct.pack("!H", code)]
        socket.writer.write(frame(CLOSE, struct.pack("!H", code)))  # confirms the close
        with contextlib.suppress(ConnectionResetError):  # of what the server did not want to read
            assert await socket.reader.read() == b""  # said once
    socket.abort()
