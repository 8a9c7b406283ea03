"""Attacks by WebSocket frames: control frames, fragments, compression, sizes, and JSON in them."""

import asyncio
import contextlib
import struct
import zlib

import msgspec

from tests.api.client import Player
from tests.hostile.attacker import Attack, Attacker, Codes, frames
from tests.hostile.bodies import BRACKETS, NO_END
from tests.hostile.connections import BINARY, CONTINUATION, ENDED, HANDSHAKE, OPEN, PING, PONG, TEXT, frame, request

MALFORMED, NOT_AUTHENTICATED, TOO_SLOW, TOO_MANY = 4400, 4401, 4408, 4429
PROTOCOL_ERROR, NO_UTF_8, TOO_BIG = 1002, 1007, 1009
MANY = {TOO_MANY, ENDED}
CONNECTIONS = 500  # of one address
COMPRESSED = 0x40  # the bit that permessage-deflate uses, which is not negotiated


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)[:-4]


def text(**members: object) -> bytes:
    return frame(TEXT, msgspec.json.encode(members))


def declared(length: int) -> bytes:
    """The head of a frame that says how long it will be."""
    return struct.pack("!BBQ", 0x80 | TEXT, 0x80 | 127, length) + bytes(4)


async def a_flood_of_actions_is_closed(attacker: Attacker) -> Codes:
    sent = [text(type="action", id=f"{number}", action={"type": "roll"}) for number in range(2_000)]
    return [await attacker.close_code(*sent)]


async def a_flood_of_resumes_by_a_client_that_does_not_read_is_closed(attacker: Attacker) -> Codes:
    connection = await attacker.socket(receive_buffer=4096)
    await connection.send(text(type="resume", after=0) * 2_000, timeout_s=0.5)
    return [await connection.close_code()]


async def frames_in_the_packet_of_the_handshake_are_dropped(attacker: Attacker) -> Codes:
    """The frames arrive before the service has accepted the socket."""
    handshake = request("GET", attacker.socket_path, *HANDSHAKE, attacker.token)
    connection = await attacker.sent(handshake + frame(PING) * 20_000)
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        await connection.reader.readuntil(b"\r\n\r\n")
    return [await connection.close_code(timeout_s=0.5)]


async def texts_that_are_no_utf_8_fill_no_log(attacker: Attacker) -> Codes:
    opened = await asyncio.gather(*[attacker.socket("/ws/v1/lobby") for _ in range(18)])
    for connection in opened:
        await connection.send(frame(TEXT, b"\xff"))
    return await asyncio.gather(*[connection.close_code() for connection in opened])


async def a_token_opens_twenty_sockets(attacker: Attacker) -> Codes:
    opened = await asyncio.gather(*[attacker.socket("/ws/v1/me") for _ in range(30)])
    first = await asyncio.gather(*[connection.next_text() for connection in opened])
    refused = [data for data in first if not data.startswith(b"{")]
    return [len(first) - len(refused), *(struct.unpack("!H", (data + bytes(2))[:2])[0] for data in refused)]


async def sockets_without_a_token_are_closed(attacker: Attacker) -> Codes:
    wrong = [f"Authorization: Bearer qx_{number:043}" for number in range(100)]
    opened = await asyncio.gather(*[attacker.socket("/ws/v1/me", header) for header in wrong])
    return await asyncio.gather(*[connection.close_code() for connection in opened])


async def refused_sockets_that_are_not_closed_are_counted(attacker: Attacker) -> Codes:
    """A client need not answer a close frame: it keeps the connection."""
    handshake = request("GET", "/ws/v1/me", *HANDSHAKE, "Authorization: Bearer qx_wrong")
    opened = [await attacker.sent(handshake) for _ in range(CONNECTIONS + 50)]
    return await asyncio.gather(*[each.status() for each in (opened[0], opened[-1])])


async def unfinished_frames_are_not_kept(attacker: Attacker) -> Codes:
    """Ten sessions with ten sockets each send all but the last byte of a frame of 1 MB."""
    attacker.players += [await Player.arrive(attacker.address, "Mallory") for _ in range(8)]
    tokens = [attacker.token_of(player) for player in attacker.players]
    opened = [await attacker.socket("/ws/v1/me", tokens[number % 10]) for number in range(100)]
    await asyncio.gather(*[connection.send(frame(TEXT, bytes(1_000_000))[:-1]) for connection in opened])
    return await asyncio.gather(*[connection.close_code() for connection in opened])


async def guessed_tickets_are_refused(attacker: Attacker) -> Codes:
    paths = [f"/ws/v1/me?ticket={number:043}" for number in range(100)]
    opened = await asyncio.gather(*[attacker.socket(path, "Accept: */*") for path in paths])
    return await asyncio.gather(*[connection.close_code() for connection in opened])


async def sockets_that_are_aborted_leave_nothing(attacker: Attacker) -> Codes:
    for _ in range(10):
        for connection in await asyncio.gather(*[attacker.socket("/ws/v1/lobby") for _ in range(15)]):
            connection.abort()
    return [await attacker.get("/healthz")]


ATTACKS = (
    Attack("a string without an end is refused in a frame", frames(frame(TEXT, NO_END)), {MALFORMED}),
    Attack("sixty thousand brackets are refused in a frame", frames(frame(TEXT, BRACKETS)), {MALFORMED}),
    Attack("a frame of 2 MB is refused", frames(frame(TEXT, b"x" * (2 << 20))), {MALFORMED, TOO_BIG, ENDED}),
    Attack("a frame that declares 4 EB is refused", frames(declared(1 << 62)), {TOO_BIG}),
    Attack("a binary frame is refused", frames(frame(BINARY, bytes(60_000))), {MALFORMED}),
    Attack("a flood of protocol pings is closed", frames(frame(PING, bytes(125)) * 20_000), MANY),
    Attack("a flood of protocol pongs is closed", frames(frame(PONG) * 50_000), MANY),
    Attack(
        "a flood of empty fragments is closed",
        frames(frame(TEXT, final=False), frame(CONTINUATION, final=False) * 50_000),
        MANY,
    ),
    Attack(
        "frames in the packet of the handshake are dropped",
        frames_in_the_packet_of_the_handshake_are_dropped,
        {OPEN, PROTOCOL_ERROR, *MANY},
    ),
    Attack("a flood of empty texts is closed", frames(frame(TEXT) * 50_000), {MALFORMED, *MANY}),
    Attack(
        "fragments without an end are refused",
        frames(frame(TEXT, b"x" * 60_000, final=False), frame(CONTINUATION, b"x" * 60_000, final=False) * 100),
        {MALFORMED, TOO_BIG, ENDED},
    ),
    Attack(
        "a compression bomb is refused and not unpacked",
        frames(frame(TEXT, deflated(bytes(40 << 20)), reserved=COMPRESSED)),
        {PROTOCOL_ERROR},
    ),
    Attack("a frame without a mask is refused", frames(frame(TEXT, b"{}", masked=False)), {PROTOCOL_ERROR}),
    Attack("an opcode that does not exist is refused", frames(frame(7)), {PROTOCOL_ERROR}),
    Attack("text that is no UTF-8 is refused", frames(frame(TEXT, b"\xff" * 60_000)), {MALFORMED, NO_UTF_8}),
    Attack("texts that are no UTF-8 fill no log", texts_that_are_no_utf_8_fill_no_log, {MALFORMED, NO_UTF_8}),
    Attack("a flood of JSON pings is closed", frames(text(type="ping") * 5_000), MANY),
    Attack("a flood of actions is closed", a_flood_of_actions_is_closed, MANY),
    Attack(
        "a flood of resumes by a client that does not read is closed",
        a_flood_of_resumes_by_a_client_that_does_not_read_is_closed,
        {TOO_MANY, TOO_SLOW, ENDED},
    ),
    Attack("a token opens twenty sockets", a_token_opens_twenty_sockets, {20}, among={20, TOO_MANY}),
    Attack("sockets with a wrong token are closed", sockets_without_a_token_are_closed, {NOT_AUTHENTICATED, TOO_MANY}),
    Attack("unfinished frames are not kept", unfinished_frames_are_not_kept, {MALFORMED, ENDED}),
    Attack(
        "refused sockets that are not closed are counted",
        refused_sockets_that_are_not_closed_are_counted,
        {101, ENDED},
        among={101, ENDED},
    ),
    Attack("guessed tickets are refused", guessed_tickets_are_refused, {NOT_AUTHENTICATED, TOO_MANY}),
    Attack("sockets that are aborted leave nothing", sockets_that_are_aborted_leave_nothing, {200}),
)
