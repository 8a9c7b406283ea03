"""What all sockets have in common, as consumers of Channels: who is let in, what is read, what is handed out."""

import logging
import time
from typing import Any, ClassVar
from uuid import UUID

from channels.consumer import AsyncConsumer  # type: ignore[import-untyped]

from games import calls
from games.game.events import stamp
from games.metrics import counters
from games.rules.registry import RULESETS
from games.streams import authentication, frames
from games.streams.socket_registry import Floor, floor
from games.streams.socket_writer import Bundle, Wire, wire_of
from players.database.ids import text_of
from players.limits.rate_limits import limits

CODES = {
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


class Shut(Exception):
    """The service closes the socket, with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Consumer(AsyncConsumer):  # type: ignore[misc]
    """Channels' own would make two tasks and a hop to a thread for every message: this one only reads on."""

    kind: ClassVar = ""
    floor: Floor
    wire: Wire
    caller: authentication.Caller
    session: UUID
    counted_as: str  # with all other sockets of its session
    player: str
    language: str

    def __init__(self, explain: authentication.Explain) -> None:
        self.explain = explain
        self.is_over = False

    async def __call__(self, scope: authentication.Scope, receive: Any, send: Any) -> None:
        await receive()
        self.wire = wire_of(scope, send)
        self.language = authentication.header(scope, b"accept-language") or ""
        await send(authentication.accept(scope))
        try:
            await self._let_in(scope, receive)
        except Exception as error:  # noqa: BLE001  (told to the client as a code, and to the log where it is ours)
            self.fail(error)
        finally:
            self.is_over = True

    def fail(self, error: Exception) -> None:
        if isinstance(error, Shut):
            return self.end(error.code)
        code = CODES.get(self.explain(error, self.language)[0], frames.INTERNAL)
        if code == frames.INTERNAL:
            logger.error("a socket of kind %s failed", self.kind, exc_info=error)
        return self.end(code)

    async def _let_in(self, scope: authentication.Scope, receive: Any) -> None:
        query = authentication.query(scope)
        self.caller = await authentication.caller(scope, query)
        self.session, self.player = self.caller.identity.session, text_of(self.caller.identity.player)
        self.counted_as = text_of(self.session)
        self.floor = await floor()
        with self.floor.visit(self):
            if not await self.caller.is_welcome():  # revoked before anybody would have told us
                raise Shut(frames.NOT_AUTHENTICATED)
            try:
                await self.opened(query, **scope["url_route"]["kwargs"])
                while (message := await receive())["type"] == "websocket.receive":
                    await self._received(message)
            finally:
                self.closed()

    async def _received(self, message: dict[str, Any]) -> None:
        counters.FRAMES_IN.inc()
        if not self.may_send():
            raise Shut(frames.TOO_MANY)
        said = authentication.read(message.get("text"))
        handler = self.handlers.get(said["type"]) if isinstance(said.get("type"), str) else None
        if handler is None:
            raise Shut(frames.MALFORMED)
        await handler(self, said)

    def may_send(self) -> bool:
        """Takes a frame of this client's from what it may send, unless it has sent too many."""
        return limits.take("frames", self.counted_as, time.monotonic()) is None

    async def opened(self, query: dict[str, str], **path: Any) -> None:
        raise NotImplementedError

    def closed(self) -> None:
        """Whatever was joined is left."""

    def head(self) -> int | None:
        """The version that heartbeats carry."""
        return None

    def beat(self) -> None:
        self.give(Bundle(frames.Heartbeat(self.head(), stamp(calls.now())).encode()))

    def greet(self, *others: bytes) -> None:
        self.give(Bundle(frames.Hello(self.head(), stamp(calls.now())).encode(), *others))

    def give(self, bundle: Bundle) -> None:
        """Never waits. A client that does not read is shown out."""
        if self.is_over:
            return
        counters.FRAMES_OUT.inc(bundle.count)
        if not self.wire.write(bundle):
            self.end(frames.TOO_SLOW)

    def end(self, code: int) -> None:
        if not self.is_over:
            self.is_over = True
            counters.CLOSED.labels(code).inc()
            self.wire.end(code)

    async def ping(self, _said: authentication.Said) -> None:
        self.beat()

    handlers: ClassVar[dict[str, Any]] = {"ping": ping}


class LobbyConsumer(Consumer):
    """Somebody who looks for a game."""

    kind = "lobby"
    is_ready = False

    async def opened(self, query: dict[str, str], **path: Any) -> None:  # noqa: ARG002
        self.ruleset = query.get("ruleset")
        if self.ruleset is not None and self.ruleset not in RULESETS:
            raise Shut(frames.MALFORMED)
        self.greet()
        self.floor.lobby.readers.add(self)
        await self.floor.lobby.enter(self)

    def closed(self) -> None:
        self.floor.lobby.readers.discard(self)


class MeConsumer(Consumer):
    """One device of a player, for what concerns him wherever he looks."""

    kind = "me"

    async def opened(self, query: dict[str, str], **path: Any) -> None:  # noqa: ARG002
        self.greet()
        await self.floor.mail.enter(self.player, self)

    def closed(self) -> None:
        self.floor.mail.leave(self.player, self)


class Nowhere(Consumer):
    """There is no such stream."""

    async def __call__(self, scope: authentication.Scope, receive: Any, send: Any) -> None:
        await receive()
        await send(authentication.accept(scope))
        await send({"type": "websocket.close", "code": frames.NOT_FOUND})
