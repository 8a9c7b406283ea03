"""One viewer of one game: catches up from the log, follows the game's channel, and submits actions.

`StreamConsumer` (`stream_consumer.py`) reads the frames of the client and awaits the method that `handlers` names.
"""

import asyncio
import logging
from typing import Any
from uuid import UUID

from games import clock, commands
from games.commands import command_requests
from games.game.events import Event
from games.live import phrases
from games.live.messages import SpokenPhrase
from games.metrics import counters
from games.rules import actions
from games.streams import frames, handshake
from games.streams.channels.game_channel import GameChannel
from games.streams.channels.updates import PORTION, UpdateEncoder, changes_seats
from games.streams.stream_consumer import CloseSocket, StreamConsumer
from games.timekeeping import deadlines

ACTION = "POST /games/{game_id}/actions"
NOT_GREETED = 2**62  # the version of a socket before its first frame: no event comes after it

logger = logging.getLogger(__name__)


class GameConsumer(StreamConsumer):
    kind, operation = "game", "WS /ws/v1/games/{game_id}"
    channel: GameChannel
    is_full: bool
    _version = NOT_GREETED  # what this client has
    _catch_ups = 0  # under way
    _task: asyncio.Task[None] | None = None

    async def opened(self, query: dict[str, str], **path: Any) -> None:
        self.game_id: UUID = path["game_id"]
        self.channel = self.registry.game_channel(self.game_id)
        self.channel.subscribe(self)
        await self.registry.hears(self.channel)
        await self._load()
        after, self.is_full = handshake.after(query), handshake.wants_full_view(query)
        self.send_hello()
        if after is None:
            self._send_state()
        else:
            await self._resume_after(after)

    def closed(self) -> None:
        self.channel.unsubscribe(self)
        self.registry.drop_if_empty(self.channel)

    async def _load(self) -> None:
        """A deadline that has passed is enforced before the game is shown."""
        game = await self.channel.load(self.player)
        if await deadlines.is_overdue(self.registry.engine, game, clock.now()):
            await deadlines.expire(self.registry.engine, self.game_id, clock.now())
            await self.channel.load(self.player)

    def _send_state(self) -> None:
        state: Any = self.channel.snapshot.view(self.channel.seat_of(self.player))
        self.write(frames.StateFrame(state).encode())
        self._version = self.channel.version

    async def _resume_after(self, version: int) -> None:
        counters.RESUMES.inc()
        self._version = version
        await self._catch_up()

    async def _catch_up(self) -> None:
        """Send from the log until this client has what the channel has; live updates follow by themselves."""
        self._catch_ups += 1
        seats_changed = False
        try:
            while self._version < self.channel.version and not self.is_over:
                async with self.registry.engine.log_reads.turn(self.client):
                    events = await self.registry.engine.log(self.game_id, self._version, PORTION)
                known = [event for event in events if self._version < event.version <= self.channel.version]
                if known and known[0].version == self._version + 1:  # else another resume began meanwhile
                    seats_changed = seats_changed or changes_seats(known)
                    self._send_missed(known, seats_changed=seats_changed)
                elif not events:
                    break
                await self.writer.drain()
        finally:
            self._catch_ups -= 1

    def _send_missed(self, events: list[Event], *, seats_changed: bool) -> None:
        update = UpdateEncoder(self.channel.snapshot, events, seats_changed=seats_changed)
        self._version = update.last
        self.write(update.text(self.channel.seat_of(self.player), is_full=self.is_full))

    def deliver_update(self, update: UpdateEncoder, seat: int | None) -> None:
        """Send an update that follows what the client has; a client that is behind is sent the log instead."""
        if self._version == update.first - 1:
            self._version = update.last
            self.write(update.text(seat, is_full=self.is_full))
        else:
            self._catch_up_soon()

    def _catch_up_soon(self) -> None:
        if self._version < self.channel.version and not self._catch_ups and not self.is_over:
            counters.HOLES.inc()
            self._task = asyncio.create_task(self._try_to_catch_up())

    async def _try_to_catch_up(self) -> None:
        try:
            await self._catch_up()
        except Exception as error:  # noqa: BLE001  (told to the client as a code)
            self.fail(error)

    def send_heartbeat(self) -> None:
        super().send_heartbeat()
        self._catch_up_soon()

    def deliver_phrase(self, phrase: SpokenPhrase) -> None:
        """A phrase in the language of this client."""
        if self._version != NOT_GREETED:
            text = phrases.phrases(phrases.preferred(self.language)).get(phrase.key, phrase.key)
            self.write(frames.PhraseFrame(phrase.seat, phrase.key, text).encode())

    def head(self) -> int | None:
        return self.channel.version

    async def act(self, frame: frames.ClientFrame) -> None:
        """As POST /games/{id}/actions, under the same key. The update of the commit is written before the ack: the
        engine publishes it before it returns, and a channel that still reads names or events is waited for."""
        key = frame.get("id")
        if not isinstance(key, str) or len(key) not in command_requests.KEY_LENGTH:
            raise CloseSocket(frames.MALFORMED)
        try:
            self.authenticated.check(ACTION)
            request, context = actions.read(frame.get("action")), self._context(key, frame.get("action"))
            result = await commands.act(self.registry.engine, self.game_id, request, context)
        except Exception as error:  # noqa: BLE001  (told to the client under the id of its command)
            return self._refuse(key, error)
        if self._version < result.game.version:
            await self.channel.reach(result.game.version)
            await self._catch_up()
        return self.write(frames.Ack(key, result.game.version).encode())

    def _context(self, key: str, action: Any) -> commands.CommandContext:
        path = f"/api/v1/games/{self.game_id}/actions"  # where the same command is a POST
        return command_requests.command_context(self.authenticated.identity, path, action, key, None, clock.now())

    def _refuse(self, key: str, error: Exception) -> None:
        code, detail, errors = self.explain(error, self.language)
        if code == "not_authenticated":
            return self.end(frames.NOT_AUTHENTICATED)
        if code == "internal":
            logger.error("a command on game %s failed", self.game_id, exc_info=error)
        members: Any = errors
        return self.write(frames.ErrorFrame(key, code, detail, members).encode())

    async def resume(self, frame: frames.ClientFrame) -> None:
        after = frame.get("after")
        if not isinstance(after, int) or isinstance(after, bool) or after < 0:
            raise CloseSocket(frames.MALFORMED)
        await self._resume_after(after)

    handlers = {"ping": StreamConsumer.ping, "action": act, "resume": resume}
