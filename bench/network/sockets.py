"""WebSockets that cost little, so that what is measured is the server: frames are cut out and handed on, unread."""

import asyncio
import struct
from collections.abc import Callable
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import msgspec

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
TEXT, PING, PONG = 0x81, 0x89, 0x8A  # whole messages; the measured servers do not fragment
ADDRESSES = count()  # a server behind a proxy takes each socket for a client of its own: budgets are not measured here
Receive = Callable[[bytes], None]
encode = msgspec.json.encode


class RawSocket(asyncio.Protocol):
    def __init__(self, path: str, host: str, token: str, receive: Receive) -> None:
        self.received = receive
        self.opened = asyncio.get_running_loop().create_future()
        self._buffer = b""
        self._is_open = False
        authorization = f"Authorization: Bearer {token}\r\n" if token else ""
        address = ".".join(map(str, (10 << 24 | next(ADDRESSES)).to_bytes(4, "big")))
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{authorization}"
            f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\nX-Forwarded-For: {address}\r\n\r\n"
        )

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._hello.encode())

    def data_received(self, data: bytes) -> None:
        if self._buffer:
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
        end = self._cut(data)
        self._buffer = data[end:] if end < len(data) else b""

    def _cut(self, data: bytes) -> int:
        """Pass on every complete frame; the offset at which the next one begins."""
        at, there = 0, len(data)
        while there - at >= 2:
            size, head = data[at + 1], 2
            if size >= 126:
                head = 4 if size == 126 else 10
                if there - at < head:
                    break
                size = int.from_bytes(data[at + 2 : at + head], "big")
            end = at + head + size
            if end > there:
                break
            if data[at] == TEXT:
                self.received(data[at + head : end])
            elif data[at] == PING:  # without an answer the server closes the socket
                self.send(data[at + head : end], PONG)
            at = end
        return at

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        """Masked with zeros: a client must mask, with any key."""
        size = len(payload)
        head = struct.pack("!BB", kind, 0x80 | size) if size < 126 else struct.pack("!BBH", kind, 0x80 | 126, size)
        self.transport.write(head + bytes(4) + payload)


async def connect(address: str, path: str, token: str, receive: Receive) -> RawSocket:
    parts = urlsplit(address)
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: RawSocket(path, parts.netloc, token, receive), parts.hostname or "", parts.port or 0
    )
    async with asyncio.timeout(30):
        await socket.opened
    return socket


class Counter:
    """How often something has been received, and when; a task that waits for a number is woken."""

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
