"""A client that costs little: HTTP/1.1 over kept connections, so that what is measured is the server."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec


class Line:
    """One kept connection."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def call(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        content = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        self.writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        headers = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        length = int(headers.split(b"content-length: ")[1].split(b"\r\n")[0])
        answer = await self.reader.readexactly(length)
        return int(headers[9:12]), msgspec.json.decode(answer) if answer else None

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


class Rate(NamedTuple):
    per_second: float
    p50_ms: float
    p99_ms: float


async def rate(steps: list[Callable[[], Awaitable[None]]], seconds: float) -> Rate:
    """All of them at once, each again as soon as it is done, until the time is over."""
    spent: list[float] = []
    until = time.perf_counter() + seconds

    async def work(step: Callable[[], Awaitable[None]]) -> None:
        while (start := time.perf_counter()) < until:
            await step()
            spent.append(time.perf_counter() - start)

    start = time.perf_counter()
    await asyncio.gather(*(work(step) for step in steps))
    spent.sort()
    total = time.perf_counter() - start
    return Rate(len(spent) / total, spent[len(spent) // 2] * 1000, spent[int(len(spent) * 0.99)] * 1000)
