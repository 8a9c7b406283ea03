"""Load on a server: an HTTP client that costs little, and rates of several competitors measured in alternation."""

import asyncio
import gc
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from statistics import median
from typing import Any, NamedTuple

import msgspec

ROUND_S = 0.5

LENGTH = re.compile(rb"\r\ncontent-length: ([0-9]+)", re.IGNORECASE)


class HttpConnection(asyncio.Protocol):
    """One persistent HTTP/1.1 connection with one request at a time; of a response only the type `kind` is decoded."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._transport: Any = None
        self._received = b""
        self._response: asyncio.Future[tuple[int, bytes]]

    async def call(self, method: str, path: str, body: Any = None, token: str = "", kind: Any = Any) -> Any:
        loop = asyncio.get_running_loop()
        if self._transport is None:
            self._transport, _ = await loop.create_connection(lambda: self, self.host, self.port)
        content = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        self._response = loop.create_future()
        self._transport.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        status, content = await self._response
        assert status == HTTPStatus.OK, content
        return msgspec.json.decode(content, type=kind)

    def data_received(self, data: bytes) -> None:
        self._received = data = self._received + data
        end = data.find(b"\r\n\r\n") + 4
        length = LENGTH.search(data, 0, end)
        if length and len(data) >= end + int(length[1]):
            self._received = b""
            self._response.set_result((int(data[9:12]), data[end:]))

    def connection_lost(self, why: Exception | None) -> None:
        if not self._response.done():
            self._response.set_exception(why or ConnectionResetError("the server closed the connection"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class Rate(NamedTuple):
    per_second: float
    p50_ms: float
    p99_ms: float


class Rounds(NamedTuple):
    """The rates of one competitor in all rounds; single numbers are medians, because the machine is shared."""

    rates: list[Rate]

    def to(self, other: "Rounds") -> float:
        """The median over the rounds of this rate divided by the other's rate in the same round."""
        return median(mine.per_second / theirs.per_second for mine, theirs in zip(self.rates, other.rates, strict=True))

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


async def in_turn(seconds: float, *competitors: Sequence[Step]) -> list[Rounds]:
    """Measure the competitors in alternation, each for `seconds` in all."""
    rounds = [[await rate(steps, ROUND_S) for steps in competitors] for _ in range(round(seconds / ROUND_S))]
    return [Rounds(list(rates)) for rates in zip(*rounds, strict=True)]


async def rate(steps: Sequence[Step], seconds: float) -> Rate:
    """Run all steps concurrently, each again as soon as it is done, until the time is over."""
    spent: list[float] = []
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    deadline = start + seconds

    async def work(step: Step) -> None:
        while (start := time.perf_counter()) < deadline:
            await step()
            spent.append(time.perf_counter() - start)

    try:
        await asyncio.gather(*(work(step) for step in steps))
    finally:
        gc.enable()
    total = time.perf_counter() - start
    spent.sort()
    return Rate(len(spent) / total, spent[len(spent) // 2] * 1000, spent[int(len(spent) * 0.99)] * 1000)
