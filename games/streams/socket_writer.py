"""How frames get onto a socket without waiting: encoded once, written to many, and never more than a client reads.

Our own server hands out a wire with each socket (`qwixx_service.http.sockets`); any other is spoken to in plain ASGI.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

EXTENSION = "qx.wire"
LARGEST_BACKLOG = 256 * 1024  # bytes that a client has not read yet
PATIENCE_S = 10.0  # with a client that is to read what it asked for

Listener = Callable[[str], bool]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Bundle:
    """Frames that are sent together, some of them also with others. What they look like on a wire is worked out once
    per kind of wire, and kept."""

    __slots__ = ("_own", "count", "shared", "wires")

    def __init__(self, *own: bytes, shared: "Bundle | None" = None) -> None:
        self._own, self.shared = own, shared
        self.count: int = len(own) if shared is None else shared.count + len(own)
        self.wires: dict[int, bytes] = {}

    @property
    def frames(self) -> tuple[bytes, ...]:
        return self._own if self.shared is None else (*self.shared.frames, *self._own)

    def on_wire(self, kind: int, write: Callable[[bytes, int], bytes]) -> bytes:
        found = self.wires.get(kind)
        if found is None:
            parts = [write(frame, kind) for frame in self._own]
            if self.shared is not None:
                parts.insert(0, self.shared.on_wire(kind, write))
            found = self.wires[kind] = b"".join(parts)
        return found


class Wire(Protocol):
    # Asked first with every text that comes while none waits; True: it is seen to. Whoever cannot ask need not.
    listener: Listener | None

    def write(self, bundle: Bundle) -> bool:
        """At once or soon. False: the client does not read, and the backlog is full."""

    def end(self, code: int) -> None:
        """Close, however much is still to be read."""

    async def drained(self) -> None:
        """Until there is room again, or the client is gone."""


class PlainWire:
    """For servers that know only ASGI: whatever cannot be sent at once waits in a queue of its own."""

    listener: Listener | None = None

    def __init__(self, send: Send) -> None:
        self._send = send
        self._queue: deque[dict[str, Any]] = deque()
        self._backlog = 0
        self._task: asyncio.Task[None] | None = None

    def write(self, bundle: Bundle) -> bool:
        for frame in bundle.frames:
            self._backlog += len(frame)
            self._put({"type": "websocket.send", "text": frame.decode()})
        return self._backlog <= LARGEST_BACKLOG

    def end(self, code: int) -> None:
        if code == 4408:
            self._queue.clear()
        self._put({"type": "websocket.close", "code": code})

    async def drained(self) -> None:
        if self._task is not None:
            await asyncio.wait([self._task])

    def _put(self, message: dict[str, Any]) -> None:
        self._queue.append(message)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        with contextlib.suppress(Exception):  # the client has gone, and the server says so in its own words
            while self._queue:
                message = self._queue.popleft()
                await asyncio.wait_for(self._send(message), PATIENCE_S)
                self._backlog -= len(message.get("text", ""))
        self._task = None


def wire_of(scope: dict[str, Any], send: Send) -> Wire:
    wire: Wire = scope.get("extensions", {}).get(EXTENSION) or PlainWire(send)
    return wire
