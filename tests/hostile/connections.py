"""Raw connections of an attacker: HTTP requests and WebSocket frames as bytes, statuses and close codes as numbers."""

import asyncio
import contextlib
import re
import socket
import struct
from typing import Self
from urllib.parse import urlsplit

ENDED = 0  # the service ended the connection without a status or a close code
OPEN = 1  # the service neither answered nor closed in time
TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
TIMEOUT_S = 2.0
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) [A-Z]")
SHORTER_THAN_A_STATUS = 13
HANDSHAKE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
)


def request(method: str, path: str, *headers: str, body: bytes | None = None) -> bytes:
    """A request for the service; a body has a `Content-Length` unless a header already says how it ends."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers]
    if body is not None:
        names = {line.partition(":")[0].lower() for line in headers}
        lines += [] if "content-type" in names else ["Content-Type: application/json"]
        lines += [] if names & {"content-length", "transfer-encoding"} else [f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


def frame(opcode: int, payload: bytes = b"", *, final: bool = True, masked: bool = True, reserved: int = 0) -> bytes:
    """A frame of RFC 6455, masked with zeros: any key is allowed, and this one changes nothing."""
    mask = 0x80 if masked else 0
    head = struct.pack("!B", (0x80 if final else 0) | reserved | opcode)
    if len(payload) < 126:
        head += struct.pack("!B", mask | len(payload))
    elif len(payload) < 1 << 16:
        head += struct.pack("!BH", mask | 126, len(payload))
    else:
        head += struct.pack("!BQ", mask | 127, len(payload))
    return head + (bytes(4) if masked else b"") + payload


class Connection:
    """One TCP connection. Sending and reading never raise: an attacker goes on."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, address: str, source: str, receive_buffer: int = 0) -> Self:
        """A small receive buffer lets a client that does not read fill the buffers of the service soon."""
        parts, line = urlsplit(address), socket.socket()
        if receive_buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        line.setblocking(False)  # noqa: FBT003
        line.bind((source, 0))
        await asyncio.get_running_loop().sock_connect(line, (parts.hostname, parts.port))
        reader, writer = await asyncio.open_connection(sock=line, limit=receive_buffer or 1 << 16)
        return cls(reader, writer)

    async def send(self, data: bytes, timeout_s: float = TIMEOUT_S) -> bool:
        """False: the service has ended the connection, or does not read."""
        try:
            async with asyncio.timeout(timeout_s):
                self.writer.write(data)
                await self.writer.drain()
        except (OSError, TimeoutError):
            return False
        return True

    async def statuses(self, count: int = 1, timeout_s: float = TIMEOUT_S) -> list[int]:
        """Of the next responses, found in the stream by their status lines."""
        found: list[int] = []
        data, is_open = b"", True
        try:
            async with asyncio.timeout(timeout_s):
                while len(found) < count and (more := await self.reader.read(1 << 16)):
                    data += more
                    found += [int(each) for each in STATUS.findall(data)]
                    data = data[-SHORTER_THAN_A_STATUS:]  # where the next status line may have begun
                is_open = len(found) >= count
        except TimeoutError:
            return found or [OPEN]
        except OSError:
            is_open = False
        return found if found or is_open else [ENDED]

    async def status(self, timeout_s: float = TIMEOUT_S) -> int:
        return (await self.statuses(1, timeout_s))[0]

    async def close_code(self, timeout_s: float = TIMEOUT_S) -> int:
        """Of the socket, after the frames that were sent before it."""
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    opcode, payload = await self._next_frame()
                    if opcode == CLOSE:
                        return int(struct.unpack("!H", payload[:2])[0]) if payload else ENDED
        except TimeoutError:
            return OPEN
        except (OSError, asyncio.IncompleteReadError):
            return ENDED

    async def next_text(self, timeout_s: float = TIMEOUT_S) -> bytes:
        """The next frame, whatever it is; empty if there is none."""
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(timeout_s):
                return (await self._next_frame())[1]
        return b""

    async def _next_frame(self) -> tuple[int, bytes]:
        first, length = await self.reader.readexactly(2)
        if length == 126:
            (length,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", await self.reader.readexactly(8))
        return first & 15, await self.reader.readexactly(length)

    def abort(self) -> None:
        self.writer.transport.abort()
