"""What all sockets share: authentication, rate limits, frames in order, and the codes with which they are closed."""

import asyncio
import contextlib
import logging
import time
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from channels.consumer import AsyncConsumer  # type: ignore[import-untyped]

from games import clock
from games.game.events import stamp
from games.metrics import counters
from games.streams import frames, handshake
from games.streams.sockets.socket_registry import SocketRegistry, registry
from games.streams.sockets.socket_writer import SocketWriter
from players.database.ids import text_of
from players.limits.addresses import client_address
from players.limits.fair_queue import Client
from players.limits.open_streams import open_streams
from players.limits.rate_limits import limit_for, limits
from players.sessions.authentication import AuthenticatedSession, authenticate
from players.telemetry import log_context

CLOSE_TIMEOUT_S = 5.0  # for a client to read the code with which it is closed
CLOSE_CODE_OF = {
    "malformed": frames.MALFORMED,
    "too_large": frames.MALFORMED,
    "not_authenticated": frames.NOT_AUTHENTICATED,
    "not_allowed": frames.NOT_ALLOWED,
    "banned": frames.NOT_ALLOWED,
    "not_found": frames.NOT_FOUND,
    "too_many_requests": frames.TOO_MANY,
    "unavailable": frames.RESTART,
}

logger = logging.getLogger(__name__)


class CloseSocket(Exception):
    """Ends the consumer; the socket is closed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def take(limit: str, key: str) -> None:
    """Count against a rate limit; beyond it the socket is closed."""
    if limits.take(limit, key, time.monotonic()) is not None:
        raise CloseSocket(frames.TOO_MANY)


class StreamConsumer(AsyncConsumer):  # type: ignore[misc]
    """Reads one frame after the other; Channels' own `__call__` needs a task and a thread for each (decision 10)."""

    kind: ClassVar = ""
    operation: ClassVar[str]  # as the table of scopes names it
    registry: SocketRegistry
    authenticated: AuthenticatedSession
    session: UUID
    expires_at: datetime | None
    player: str
    client: Client
    language: str
    writer: SocketWriter

    def __init__(self, explain: handshake.Explain) -> None:
        self.explain = explain
        self.is_over = False
        self._deadline = asyncio.timeout(None)

    async def __call__(self, scope: handshake.Scope, receive: Any, send: Any) -> None:
        await receive()
        await send(handshake.accept(scope))
        self.language = handshake.header(scope, b"accept-language") or ""
        self.writer = SocketWriter(send)
        with contextlib.suppress(TimeoutError):  # the client did not read its close code in time
            async with self._deadline:
                try:
                    await self._serve(scope, receive)
                except Exception as error:  # noqa: BLE001  (told to the client as a code, and logged if it is our fault)
                    self.fail(error)
                    await asyncio.wait([self.writer.task])
        self.is_over = True
        self.writer.task.cancel()

    def fail(self, error: Exception) -> None:
        if isinstance(error, CloseSocket):
            return self.end(error.code)
        code = CLOSE_CODE_OF.get(self.explain(error, self.language)[0], frames.INTERNAL)
        if code == frames.INTERNAL:
            logger.error("a socket of kind %s failed", self.kind, exc_info=error)
        return self.end(code)

    async def _serve(self, scope: handshake.Scope, receive: Any) -> None:
        query, address = handshake.query(scope), client_address(scope)
        take("handshakes", address)
        self.authenticated = await authenticate(
            handshake.header(scope, b"authorization"), self.operation, query.get("ticket")
        )
        self.session, self.expires_at = self.authenticated.identity.session, self.authenticated.identity.expires_at
        self.player = text_of(self.authenticated.identity.player)
        log_context.add(route=self.operation, player=self.player)
        self.language = self.authenticated.identity.locale or self.language
        take("sockets", text_of(self.session))
        self.client = Client(address, text_of(self.session))
        self.registry = await registry()
        with open_streams.counted(self.session, address), self.registry.registered(self):
            if not await self.authenticated.is_valid():  # revoked before the socket was registered
                raise CloseSocket(frames.NOT_AUTHENTICATED)
            try:
                await self.opened(query, **scope["url_route"]["kwargs"])
                while (message := await receive())["type"] == "websocket.receive":
                    await self._receive(message)
            finally:
                self.closed()

    async def _receive(self, message: dict[str, Any]) -> None:
        """Read one frame and await the method for its type, as `GameConsumer.act`."""
        counters.FRAMES_IN.inc()
        if self.is_over:
            return
        take(limit_for("frames", is_bot=self.authenticated.identity.is_bot), text_of(self.session))
        frame = frames.read(message.get("text"))
        handler = self.handlers.get(frame["type"]) if isinstance(frame.get("type"), str) else None
        if handler is None:
            raise CloseSocket(frames.MALFORMED)
        await handler(self, frame)

    async def opened(self, query: dict[str, str], **path: Any) -> None:
        """Subscribe and send the first frames."""
        raise NotImplementedError

    def closed(self) -> None:
        """Unsubscribe."""
        raise NotImplementedError

    def head(self) -> int | None:
        """The version that hello and heartbeats carry."""
        return None

    def send_hello(self) -> None:
        self.write(frames.Hello(self.head(), stamp(clock.now())).encode())

    def send_heartbeat(self) -> None:
        self.write(frames.Heartbeat(self.head(), stamp(clock.now())).encode())

    def write(self, text: str) -> None:
        """Send a frame without waiting. A client with too large a backlog is closed."""
        if not self.is_over:
            counters.FRAMES_OUT.inc()
            if not self.writer.write(text):
                self.end(frames.TOO_SLOW)

    def close_if_stalled(self) -> None:
        if self.writer.is_stalled():
            self.end(frames.TOO_SLOW)

    def end(self, code: int) -> None:
        """Close the socket; the consumer ends when the client confirms it, or after CLOSE_TIMEOUT_S."""
        if not self.is_over:
            self.is_over = True
            counters.CLOSED.labels(code).inc()
            self.writer.close(code, discard=code == frames.TOO_SLOW)
            self._deadline.reschedule(asyncio.get_running_loop().time() + CLOSE_TIMEOUT_S)

    async def ping(self, _frame: frames.ClientFrame) -> None:
        self.send_heartbeat()

    handlers: ClassVar[dict[str, Any]] = {"ping": ping}
