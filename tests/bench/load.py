"""A client that costs little: HTTP/1.1 over kept connections, so that what is measured is the server."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Sequence
from statistics import median
from typing import Any, NamedTuple

import msgspec

ROUNDS = 5


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


class Middle(NamedTuple):
    """Of several sides that were measured turn and turn about, because the machine is shared: the middle round."""

    rates: list[Rate]

    @property
    def per_second(self) -> float:
        return median(rate.per_second for rate in self.rates)

    @property
    def p50_ms(self) -> float:
        return median(rate.p50_ms for rate in self.rates)

    @property
    def p99_ms(self) -> float:
        return median(rate.p99_ms for rate in self.rates)


Step = Callable[[], Awaitable[None]]


async def in_turn(seconds: float, *sides: Sequence[Step]) -> list[Middle]:
    """Each of the sides for so many seconds in all."""
    rounds = [[await rate(steps, seconds / ROUNDS) for steps in sides] for _ in range(ROUNDS)]
    return [Middle(list(side)) for side in zip(*rounds, strict=True)]


async def rate(steps: Sequence[Step], seconds: float) -> Rate:
    """All of them at once, each again as soon as it is done, until the time is over."""
    spent: list[float] = []
    until = time.perf_counter() + seconds

    async def work(step: Step) -> None:
        while (start := time.perf_counter()) < until:
            await step()
            spent.append(time.perf_counter() - start)

    gc.collect()
    gc.disable()
    start = time.perf_counter()
    try:
        await asyncio.gather(*(work(step) for step in steps))
    finally:
        gc.enable()
    total = time.perf_counter() - start
    spent.sort()
    return Rate(len(spent) / total, spent[len(spent) // 2] * 1000, spent[int(len(spent) * 0.99)] * 1000)
