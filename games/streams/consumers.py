"""The sockets themselves, as consumers of Channels: who is let in, what clients say, what is handed to them."""

import asyncio
import logging
import time
from typing import Any, ClassVar
from uuid import UUID

from channels.consumer import AsyncConsumer  # type: ignore[import-untyped]

from games import callers, commands, metrics, texts
from games.events import stamp
from games.hub import Spoken
from games.rules import actions
from games.rules.refused import Refused
from games.rules.registry import RULESETS
from games.streams import door, frames
from games.streams.batches import Batch, view
from games.streams.floor import Floor, floor
from games.streams.wire import PATIENCE_S, Bundle, Wire, wire_of
from games.views import game_view, seat_of
from players.limits import limits

PORTION = 100  # events of a resume that are read and sent at once
NOTHING_YET = 2**62  # the version of a socket that has not been greeted: no event comes after it
COMMAND_LENGTH = range(1, 65)
CODES = {
    "malformed": frames.MALFORMED,
    "too_large": frames.MALFORMED,
    "not_authenticated": frames.NOT_AUTHENTICATED,
    "not_allowed": frames.NOT_ALLOWED,
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
    caller: door.Caller
    language: str

    def __init__(self, explain: door.Explain) -> None:
        self.explain = explain
        self.is_over = False

    async def __call__(self, scope: door.Scope, receive: Any, send: Any) -> None:
        await receive()
        self.wire = wire_of(scope, send)
        self.language = door.header(scope, b"accept-language") or ""
        await send(door.accept(scope))
        try:
            await self._let_in(scope, receive)
        except Shut as shut:
            self.end(shut.code)
        except Exception as error:  # noqa: BLE001  (told to the client as a code, and to the log where it is ours)
            self._fail(error)
        finally:
            self.is_over = True

    def _fail(self, error: Exception) -> None:
        code = CODES.get(self.explain(error, self.language)[0], frames.INTERNAL)
        if code == frames.INTERNAL:
            logger.error("a socket of kind %s failed", self.kind, exc_info=error)
        self.end(code)

    async def _let_in(self, scope: door.Scope, receive: Any) -> None:
        query = door.query(scope)
        self.caller = await door.caller(scope, query)
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
        metrics.FRAMES_IN.inc()
        if limits.take("frames", str(self.session), time.monotonic()) is not None:
            raise Shut(frames.TOO_MANY)
        said = door.read(message)
        handler = self.handlers.get(said["type"]) if isinstance(said.get("type"), str) else None
        if handler is None:
            raise Shut(frames.MALFORMED)
        await handler(self, said)

    @property
    def session(self) -> UUID:
        return self.caller.identity.session

    @property
    def player(self) -> str:
        return str(self.caller.identity.player)

    async def opened(self, query: dict[str, str], **path: Any) -> None:
        raise NotImplementedError

    def closed(self) -> None:
        """Whatever was joined is left."""

    def head(self) -> int | None:
        """The version that heartbeats carry."""
        return None

    def beat(self) -> None:
        self.give(Bundle(frames.Heartbeat(self.head(), stamp(callers.now())).encode()))

    def greet(self, *others: bytes) -> None:
        self.give(Bundle(frames.Hello(self.head(), stamp(callers.now())).encode(), *others))

    def give(self, bundle: Bundle) -> None:
        """Never waits. A client that does not read is shown out."""
        if self.is_over:
            return
        metrics.FRAMES_OUT.inc(len(bundle.frames))
        if not self.wire.write(bundle):
            self.end(frames.TOO_SLOW)

    def end(self, code: int) -> None:
        if not self.is_over:
            self.is_over = True
            metrics.CLOSED.labels(code).inc()
            self.wire.end(code)

    async def ping(self, _said: door.Said) -> None:
        self.beat()

    handlers: ClassVar[dict[str, Any]] = {"ping": ping}


class GameConsumer(Consumer):
    """One viewer of one game."""

    kind = "game"
    sent = NOTHING_YET  # the version this client has

    async def opened(self, query: dict[str, str], **path: Any) -> None:
        self.game_id: UUID = path["game_id"]
        self.table = self.floor.table(self.game_id)
        self.table.join(self)
        await self._bring_up_to_date()
        after = door.after(query)
        if after is None:
            await self._show_all()
        else:
            self.greet()
            await self._resume(after)

    def closed(self) -> None:
        self.table.leave(self)
        self.floor.clear(self.table)

    async def _bring_up_to_date(self) -> None:
        game = await self.table.look(self.player)
        if await commands.is_behind(self.floor.engine, game, callers.now()):
            await commands.expire(self.floor.engine, self.game_id, callers.now())
            await self.table.look(self.player)

    async def _show_all(self) -> None:
        """Whoever sits down while names are looked up is looked up, too."""
        chairs = None
        while self.table.game is not None and self.table.game.chairs != chairs:
            chairs = self.table.game.chairs
            person = await callers.people([self.table.game])
        game = self.table.game
        if game is None:
            raise Refused("not_found")
        seat = seat_of(game, self.player)
        state: Any = game_view(game, seat, self.table.code, person, stamp(callers.now()))
        self.greet(frames.State(state).encode())
        self.sent = game.version

    async def _resume(self, after: int) -> None:
        """All that is stored beyond a version, then what the seat may do; live events follow by themselves."""
        metrics.RESUMES.inc()
        self.sent = after
        while self.sent < self.table.version and not self.is_over:
            events = await self.floor.engine.log(self.game_id, self.sent, PORTION)
            if not events:
                break
            self.table.heard(events)  # the log may be ahead of what was told
            self._send_again([event for event in events if event.version <= self.table.version])
            await self._drained()
        if self.table.game is not None:
            self.give(Bundle(view(self.table.game, self.table.seat_of(self.player))))

    def _send_again(self, events: list[Any]) -> None:
        if self.table.game is not None and events and events[-1].version > self.sent:
            batch = Batch(self.table.game, events)
            self.give(Bundle(*batch.frames(self.table.seat_of(self.player), self.sent)))
            self.sent = batch.last

    async def _drained(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self.wire.drained()
        except TimeoutError:
            raise Shut(frames.TOO_SLOW) from None

    def take(self, batch: Batch, seat: int | None) -> None:
        """News, if it follows on what the client has; whoever is still catching up reads it from the log."""
        if self.sent == batch.first - 1:
            self.sent = batch.last
            self.give(batch.bundle(seat))
        elif batch.first <= self.sent < batch.last:
            self.give(Bundle(*batch.frames(seat, self.sent), view(batch.game, seat)))
            self.sent = batch.last

    def hear(self, spoken: Spoken) -> None:
        """A phrase, in the language of this client, once it has been greeted."""
        if self.sent != NOTHING_YET:
            text = texts.phrases(texts.preferred(self.language)).get(spoken.key, spoken.key)
            self.give(Bundle(frames.Phrase(spoken.seat, spoken.key, text).encode()))

    def head(self) -> int | None:
        return self.table.version

    async def act(self, said: door.Said) -> None:
        """As POST does it, under the same key: whoever repeats it there is answered from the same receipt."""
        key, action = said.get("id"), said.get("action")
        if not isinstance(key, str) or len(key) not in COMMAND_LENGTH:
            raise Shut(frames.MALFORMED)
        path = f"/api/v1/games/{self.game_id}/actions"
        try:
            order = callers.order(self.caller.identity, path, action, key, None)
            done = await commands.act(self.floor.engine, self.game_id, actions.read(action), order)
        except Exception as error:  # noqa: BLE001  (told to the client under the id of its command)
            self._refuse(key, error)
        else:
            self.give(Bundle(frames.Ack(key, done.game.version).encode()))

    def _refuse(self, key: str, error: Exception) -> None:
        code, detail, errors = self.explain(error, self.language)
        if code == "not_authenticated":
            raise Shut(frames.NOT_AUTHENTICATED)
        if code == "internal":
            logger.error("a command on game %s failed", self.game_id, exc_info=error)
        wrong: Any = errors
        self.give(Bundle(frames.Error(key, code, detail, wrong).encode()))

    async def resume(self, said: door.Said) -> None:
        after = said.get("after")
        if not isinstance(after, int) or isinstance(after, bool) or after < 0:
            raise Shut(frames.MALFORMED)
        await self._resume(after)

    handlers = {"ping": Consumer.ping, "action": act, "resume": resume}


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

    async def __call__(self, scope: door.Scope, receive: Any, send: Any) -> None:
        await receive()
        await send(door.accept(scope))
        await send({"type": "websocket.close", "code": frames.NOT_FOUND})
