"""A WebSocket client without a library: it reads only when a test asks for it, and can abort its connection."""

import asyncio
import base64
import os
import socket
import struct
from typing import Any
from urllib.parse import urlsplit

import msgspec


class Raw:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, frame: dict[str, Any]) -> None:
        """Masked with zeros: a client must mask, and any key is allowed."""
        payload = msgspec.json.encode(frame)
        head = struct.pack("!BB", 0x81, 0x80 | len(payload)) if len(payload) < 126 else b""
        assert head
        self.writer.write(head + bytes(4) + payload)

    async def rest(self) -> bytes:
        """All that there is to read, until the other side has ended."""
        found = await self.reader.read()
        self.abort()
        return found

    def abort(self) -> None:
        self.writer.transport.abort()


async def open_raw(address: str, path: str, token: str, receive_buffer: int = 0, forwarded_for: str = "") -> Raw:
    parts = urlsplit(address)
    line = socket.socket()
    if receive_buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    line.settimeout(0)
    await asyncio.get_running_loop().sock_connect(line, (parts.hostname, parts.port))
    reader, writer = await asyncio.open_connection(sock=line, limit=2048)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n"
        f"X-Forwarded-For: {forwarded_for}\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readline()
    return Raw(reader, writer)
