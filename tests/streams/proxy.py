"""A TCP proxy that behaves like a bad network: it cuts lines, holds them up, and loses messages through Redis."""

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Self

CHUNK = 65536
PUBLISH = b"\r\n$7\r\nPUBLISH\r\n"


class Proxy:
    """Between whoever connects to `port` and a server: a port of this machine, or a socket of its file system.

    Whoever connects to a `listener` that was opened before waits until the proxy runs.
    """

    def __init__(self, target: int | Path, listener: socket.socket | None = None) -> None:
        self.target = target
        self.listener = listener or socket.create_server(("127.0.0.1", 0))
        self.delay_s = 0.0
        self.is_deaf = False  # to what is published: it is said to be done, and nobody hears of it
        self.port: int = self.listener.getsockname()[1]
        self._lines: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, sock=self.listener)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Every line, in the middle of whatever it says."""
        for line in tuple(self._lines):
            line.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            if isinstance(self.target, Path):
                there = await asyncio.open_unix_connection(str(self.target))
            else:
                there = await asyncio.open_connection("127.0.0.1", self.target)
            self._lines |= {writer, there[1]}
            await asyncio.gather(self._pass(reader, there[1], writer), self._pass(there[0], writer, None))
        for line in (writer, *([there[1]] if "there" in locals() else [])):
            line.transport.abort()
            self._lines.discard(line)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.StreamWriter | None
    ) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(CHUNK):
                if self.delay_s:
                    await asyncio.sleep(random.uniform(0, self.delay_s))
                if self.is_deaf and back is not None and PUBLISH in chunk:
                    back.write(b":0\r\n" * chunk.count(PUBLISH))
                    continue
                writer.write(chunk)
                await writer.drain()
        writer.close()
        if back is not None:
            back.close()


@contextlib.asynccontextmanager
async def troubled(proxy: Proxy, seed: int, every_s: float) -> AsyncIterator[None]:
    """Within the block the lines of a proxy are cut at random points."""
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
