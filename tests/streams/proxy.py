"""A TCP proxy that behaves like a bad network: it cuts connections, delays them, and loses messages through Redis."""

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

CHUNK = 65536
PUBLISH = b"\r\n$7\r\nPUBLISH\r\n"


class Proxy:
    """Between the clients of `port` and a server: a port of this machine, or a socket of its file system.

    A client that connects to a `listener` that was opened before waits until the proxy runs.
    """

    def __init__(self, target: int | Path, listener: socket.socket | None = None) -> None:
        self.target = target
        self.listener = listener or socket.create_server(("127.0.0.1", 0))
        self.delay_s = 0.0
        self._cuts: Iterator[int] = iter(())
        self._left: int | None = None  # answers to pass on before the next cut
        self.is_deaf = False  # to what is published: it is confirmed, and no process receives it
        self.port: int = self.listener.getsockname()[1]
        self._lines: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self.listener.settimeout(0)
        asyncio.get_running_loop().add_reader(self.listener, self._take)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.get_running_loop().remove_reader(self.listener)
        self.listener.close()
        self.cut()
        await asyncio.gather(*self._lines, return_exceptions=True)

    def cut(self) -> None:
        """Cut every connection at once, also those that are only being opened."""
        for line in self._lines:
            line.cancel()

    def cut_after(self, *answers: int) -> None:
        """For each number: pass on so many chunks of answers, then cut every connection in place of the next."""
        self._cuts = iter(answers)
        self._left = next(self._cuts, None)

    def _loses_answer(self) -> bool:
        if self._left is None:
            return False
        self._left -= 1
        if self._left >= 0:
            return False
        self._left = next(self._cuts, None)
        return True

    def _take(self) -> None:
        """Accept at once: an accepted connection has a task that closes it, however soon the proxy ends."""
        with contextlib.suppress(BlockingIOError):
            caller, _ = self.listener.accept()
            line = asyncio.create_task(self._connect(caller))
            self._lines.add(line)
            line.add_done_callback(self._lines.discard)
            line.add_done_callback(lambda _: caller.close())

    async def _connect(self, caller: socket.socket) -> None:
        with contextlib.suppress(OSError):
            async with _opened(caller, self.target) as (here, there):
                await asyncio.gather(self._pass(here[0], there[1], here[1]), self._pass(there[0], here[1], None))

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.StreamWriter | None
    ) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(CHUNK):
                if self.delay_s:
                    await asyncio.sleep(random.uniform(0, self.delay_s))
                if back is None and self._loses_answer():
                    self.cut()
                    break
                if self.is_deaf and back is not None and PUBLISH in chunk:
                    back.write(b":0\r\n" * chunk.count(PUBLISH))
                    continue
                writer.write(chunk)
                await writer.drain()
        writer.close()
        if back is not None:
            back.close()


End = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def _opened(caller: socket.socket, target: int | Path) -> AsyncIterator[tuple[End, End]]:
    """Both connections, from the client and to the target; they are aborted, not closed."""
    here = await asyncio.open_connection(sock=caller)
    try:
        if isinstance(target, Path):
            there = await asyncio.open_unix_connection(str(target))
        else:
            there = await asyncio.open_connection("127.0.0.1", target)
        try:
            yield here, there
        finally:
            there[1].transport.abort()
    finally:
        here[1].transport.abort()


@contextlib.asynccontextmanager
async def troubled(proxy: Proxy, seed: int, every_s: float) -> AsyncIterator[None]:
    """Within the block the connections of a proxy are cut at random moments."""
    luck = random.Random(seed)

    async def trouble() -> None:
        while True:
            await asyncio.sleep(luck.uniform(0, 2 * every_s))
            proxy.cut()

    task = asyncio.create_task(trouble())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
