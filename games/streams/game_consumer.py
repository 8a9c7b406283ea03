"""One viewer of one game: catches up from the log, then takes what is told; acts under keys of its own."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any
from uuid import UUID

from games import calls, commands
from games.commands import CommandContext
from games.engine.engine import CommandResult
from games.game.events import Event, stamp
from games.game.views import game_view, seat_of
from games.live import phrases
from games.live.hub import Spoken
from games.metrics import counters
from games.rules import actions
from games.rules.refused import Refused
from games.streams import authentication, frames
from games.streams.consumers import Consumer, Shut
from games.streams.socket_writer import PATIENCE_S, Bundle
from games.streams.updates import Batch, view
from games.timekeeping import deadlines

PORTION = 100  # events of a resume that are read and sent at once
NOTHING_YET = 2**62  # the version of a socket that has not been greeted: no event comes after it
COMMAND_LENGTH = range(1, 65)
Doing = Coroutine[Any, Any, CommandResult]

logger = logging.getLogger(__name__)


class GameConsumer(Consumer):
    kind = "game"
    sent = NOTHING_YET  # the version this client has
    _readers = 0
    _is_busy = False  # with a frame of this client's: they are seen to one after the other
    _free: asyncio.Future[None] | None = None  # for whoever waits until it is not
    _healing: asyncio.Task[None] | None = None
    _slow: asyncio.Task[None] | None = None

    async def opened(self, query: dict[str, str], **path: Any) -> None:
        self.game_id: UUID = path["game_id"]
        self._path = f"/api/v1/games/{self.game_id}/actions"  # where the same is done with POST
        self.table = self.floor.table(self.game_id)
        self.table.join(self)
        await self._bring_up_to_date()
        after = authentication.after(query)
        if after is None:
            await self._show_all()
        else:
            self.greet()
            await self._resume(after)
        self.wire.listener = self._take_at_once

    def closed(self) -> None:
        self.table.leave(self)
        self.floor.clear(self.table)

    async def _bring_up_to_date(self) -> None:
        game = await self.table.look(self.player)
        if await deadlines.is_overdue(self.floor.engine, game, calls.now()):
            await deadlines.expire(self.floor.engine, self.game_id, calls.now())
            await self.table.look(self.player)

    async def _show_all(self) -> None:
        """Whoever sits down while names are looked up is looked up, too."""
        participants = None
        while self.table.game is not None and self.table.game.participants != participants:
            participants = self.table.game.participants
            person = await calls.people([self.table.game])
        game = self.table.game
        if game is None:
            raise Refused("not_found")
        seat = seat_of(game, self.player)
        state: Any = game_view(game, seat, self.table.code, person, stamp(calls.now()))
        self.greet(frames.State(state).encode())
        self.sent = game.version

    async def _resume(self, after: int) -> None:
        """All that is stored beyond a version, then what the seat may do; live events follow by themselves."""
        counters.RESUMES.inc()
        self.sent = after
        await self._catch_up()
        if self.table.game is not None:
            self.give(Bundle(view(self.table.game, self.table.seat_of(self.player))))

    async def _catch_up(self) -> None:
        """Until this client has all that the table has."""
        self._readers += 1
        try:
            while self.sent < self.table.version and not self.is_over:
                events = await self.floor.engine.log(self.game_id, self.sent, PORTION)
                if not events:
                    break
                if events[0].version == self.sent + 1:  # else it was sent meanwhile, or asked for again
                    self.table.heard(events)  # the log may be ahead of what was told
                    self._send_again([event for event in events if event.version <= self.table.version])
                    await self._drained()
        finally:
            self._readers -= 1

    async def _catch_up_alone(self) -> None:
        try:
            await self._catch_up()
        except Exception as error:  # noqa: BLE001  (nobody else waits for it)
            self.fail(error)

    def _send_again(self, events: list[Event]) -> None:
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
        """News, if it follows on what the client has; whoever is behind reads it from the log."""
        if self.sent == batch.first - 1:
            bundle = batch.bundle(seat)
            self.sent = batch.last
            self.give(bundle)
        elif batch.first <= self.sent < batch.last:
            self.give(Bundle(*batch.frames(seat, self.sent), view(batch.game, seat)))
            self.sent = batch.last
        else:
            self._heal()

    def _heal(self) -> None:
        if self.sent < self.table.version and not self._readers and not self.is_over:
            counters.HOLES.inc()
            self._healing = asyncio.create_task(self._catch_up_alone())

    def beat(self) -> None:
        super().beat()
        self._heal()

    def hear(self, spoken: Spoken) -> None:
        """A phrase, in the language of this client, once it has been greeted."""
        if self.sent != NOTHING_YET:
            text = phrases.phrases(phrases.preferred(self.language)).get(spoken.key, spoken.key)
            self.give(Bundle(frames.Phrase(spoken.seat, spoken.key, text).encode()))

    def head(self) -> int | None:
        return self.table.version

    async def act(self, said: authentication.Said) -> None:
        """As POST does it, under the same key: whoever repeats it there is answered from the same receipt."""
        key = said.get("id")
        if not isinstance(key, str) or len(key) not in COMMAND_LENGTH:
            raise Shut(frames.MALFORMED)
        try:
            request, order = actions.read(said.get("action")), self._order(key, said.get("action"))
        except Exception as error:  # noqa: BLE001  (told to the client under the id of its command)
            self._refuse(key, error)
        else:
            await self._carry_out(key, commands.act(self.floor.engine, self.game_id, request, order))

    async def _received(self, message: dict[str, Any]) -> None:
        if self._is_busy:
            self._free = asyncio.get_running_loop().create_future()
            await self._free
        self._is_busy = True
        await super()._received(message)
        self._is_busy = False

    def _take_at_once(self, text: str) -> bool:
        """An action that can be decided where it stands, without a task to wake: nearly every one. False: nothing has
        been done, and it waits its turn as every frame does."""
        if self._is_busy or self.is_over:
            return False
        try:
            found = authentication.action_in(text)
            if found is None:
                return False
            key, asked = found
            order = self._order(key, asked)
        except Refused:
            return False
        if not self.may_send():
            return False
        counters.FRAMES_IN.inc()
        self._is_busy = True
        doing = commands.act(self.floor.engine, self.game_id, asked.request, order)
        self._slow = asyncio.create_task(self._carry_out_alone(key, doing))
        return True

    def _next(self) -> None:
        """Whoever waits is next, before anything that comes now."""
        if self._free is not None and not self._free.done():
            self._free.set_result(None)
        else:
            self._is_busy = False

    async def _carry_out_alone(self, key: str, doing: Doing) -> None:
        try:
            await self._carry_out(key, doing)
        except Exception as error:  # noqa: BLE001  (nobody else waits for it)
            self.fail(error)
        finally:
            self._next()

    async def _carry_out(self, key: str, doing: Doing) -> None:
        try:
            done = await doing
        except Exception as error:  # noqa: BLE001  (told to the client under the id of its command)
            self._refuse(key, error)
        else:
            self._acknowledge(key, done)

    def _order(self, key: str, action: Any) -> CommandContext:
        return calls.order(self.caller.identity, self._path, action, key, None)

    def _acknowledge(self, key: str, done: CommandResult) -> None:
        self.give(Bundle(frames.Ack(key, done.game.version).encode()))

    def _refuse(self, key: str, error: Exception) -> None:
        code, detail, errors = self.explain(error, self.language)
        if code == "not_authenticated":
            self.end(frames.NOT_AUTHENTICATED)
            return
        if code == "internal":
            logger.error("a command on game %s failed", self.game_id, exc_info=error)
        wrong: Any = errors
        self.give(Bundle(frames.Error(key, code, detail, wrong).encode()))

    async def resume(self, said: authentication.Said) -> None:
        after = said.get("after")
        if not isinstance(after, int) or isinstance(after, bool) or after < 0:
            raise Shut(frames.MALFORMED)
        await self._resume(after)

    handlers = {"ping": Consumer.ping, "action": act, "resume": resume}
