"""Sends the frames of one socket in order, without making the sender wait for the client."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from players.limits.budgets import LARGEST_BACKLOG, STALLED_AFTER_S

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]  # of ASGI: uvicorn writes the frame to the connection


class SocketWriter:
    """A queue and the task that awaits ASGI `send` for each of its messages (decision 10)."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._queue: deque[Message] = deque()
        self._backlog = 0
        self._since = 0.0  # when the server was last ready for a message, or had none to send
        self._wake: asyncio.Future[None] | None = None
        self._drained: asyncio.Event | None = None  # exists while something waits for it
        self.task = asyncio.create_task(self._run())

    def write(self, text: str) -> bool:
        """Send it soon. False: more than LARGEST_BACKLOG waits for the client."""
        if self.task.done():  # the client is gone
            return True
        if not self._backlog:
            self._since = time.monotonic()
        self._backlog += len(text)
        self._put({"type": "websocket.send", "text": text})
        return self._backlog <= LARGEST_BACKLOG

    def close(self, code: int, *, discard: bool = False) -> None:
        """Close the socket after all that was written, or in place of it."""
        if discard:
            self._queue.clear()
        self._put({"type": "websocket.close", "code": code})

    async def drain(self) -> None:
        """Wait until all that was written has been handed to the server."""
        if self._backlog:
            self._drained = self._drained or asyncio.Event()
            await self._drained.wait()

    def is_stalled(self) -> bool:
        return self._backlog > 0 and time.monotonic() - self._since > STALLED_AFTER_S

    def _put(self, message: Message) -> None:
        self._queue.append(message)
        if self._wake is not None:
            self._wake.set_result(None)
            self._wake = None

    async def _run(self) -> None:
        with contextlib.suppress(Exception):  # of the server: the client is gone, and the reading side learns it, too
            while (message := await self._next())["type"] != "websocket.close":
                await self._send(message)
                self._backlog -= len(message["text"])
                self._since = time.monotonic()
            await self._send(message)
        self._backlog = 0
        self._release_waiters()

    async def _next(self) -> Message:
        while not self._queue:
            self._release_waiters()
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        return self._queue.popleft()

    def _release_waiters(self) -> None:
        if self._drained is not None:
            self._drained.set()
            self._drained = None
