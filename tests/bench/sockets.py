"""WebSockets that cost little, so that what is measured is the server: frames are cut out and handed on, unread."""

import asyncio
import struct
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
Heard = Callable[[bytes], None]
encode = msgspec.json.encode


class Socket(asyncio.Protocol):
    def __init__(self, path: str, host: str, token: str, heard: Heard) -> None:
        self.heard = heard
        self.opened = asyncio.get_running_loop().create_future()
        self._buffer = b""
        self._is_open = False
        authorization = f"Authorization: Bearer {token}\r\n" if token else ""
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{authorization}"
            f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._hello.encode())

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data
        if not self._is_open:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            self._is_open = True
            if b" 101 " not in head:
                self.opened.set_exception(RuntimeError(head.decode()))
                return
            self.opened.set_result(None)
        at = 0
        while (end := _end(data, at)) is not None:
            start, at = at, end
            if data[start] & 0x0F == 1:
                self.heard(data[start + _head(data, start) : end])
        self._buffer = data[at:]

    def send(self, payload: bytes) -> None:
        """Masked with zeros: a client must mask, and nobody says with what."""
        size = len(payload)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0x80 | 126, size)
        self.transport.write(head + bytes(4) + payload)


def _head(data: bytes, at: int) -> int:
    return {126: 4, 127: 10}.get(data[at + 1], 2)


def _end(data: bytes, at: int) -> int | None:
    """Where the frame that begins here ends, if all of it is there."""
    if len(data) < at + 2 or len(data) < at + _head(data, at):
        return None
    size = data[at + 1]
    if size >= 126:
        size = int.from_bytes(data[at + 2 : at + _head(data, at)], "big")
    end = at + _head(data, at) + size
    return end if end <= len(data) else None


async def connect(address: str, path: str, token: str, heard: Heard) -> Socket:
    parts = urlsplit(address)
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(path, parts.netloc, token, heard), parts.hostname or "", parts.port or 0
    )
    async with asyncio.timeout(30):
        await socket.opened
    return socket


class Gathered:
    """How often something has been heard, and when; whoever waits for a number is woken by it."""

    def __init__(self) -> None:
        self.count = 0
        self._wanted = 0
        self._waiter: asyncio.Future[None] | None = None

    def add(self) -> None:
        self.count += 1
        if self.count >= self._wanted and self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def reaches(self, number: int) -> None:
        if self.count < number:
            self._wanted, self._waiter = number, asyncio.get_running_loop().create_future()
            async with asyncio.timeout(30):
                await self._waiter
