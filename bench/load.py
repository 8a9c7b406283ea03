"""A client that costs little: HTTP/1.1 over kept connections, so that what is measured is the server."""

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


class Line(asyncio.Protocol):
    """One kept connection, and one call at a time. Of an answer only what the `kind` names is read."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._transport: Any = None
        self._heard = b""
        self._answer: asyncio.Future[tuple[int, bytes]]

    async def call(self, method: str, path: str, body: Any = None, token: str = "", kind: Any = Any) -> Any:
        loop = asyncio.get_running_loop()
        if self._transport is None:
            self._transport, _ = await loop.create_connection(lambda: self, self.host, self.port)
        content = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        self._answer = loop.create_future()
        self._transport.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        status, answer = await self._answer
        assert status == HTTPStatus.OK, answer
        return msgspec.json.decode(answer, type=kind)

    def data_received(self, data: bytes) -> None:
        self._heard = data = self._heard + data
        end = data.find(b"\r\n\r\n") + 4
        length = LENGTH.search(data, 0, end)
        if length and len(data) >= end + int(length[1]):
            self._heard = b""
            self._answer.set_result((int(data[9:12]), data[end:]))

    def connection_lost(self, why: Exception | None) -> None:
        if not self._answer.done():
            self._answer.set_exception(why or ConnectionResetError("the server has hung up"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class Rate(NamedTuple):
    per_second: float
    p50_ms: float
    p99_ms: float


class Middle(NamedTuple):
    """Of several sides that were measured turn and turn about, because the machine is shared: the middle round."""

    rates: list[Rate]

    def to(self, rival: "Middle") -> float:
        """How many times as much as the other side in the same moment, in the middle of all rounds."""
        return median(mine.per_second / theirs.per_second for mine, theirs in zip(self.rates, rival.rates, strict=True))

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
    rounds = [[await rate(steps, ROUND_S) for steps in sides] for _ in range(round(seconds / ROUND_S))]
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
