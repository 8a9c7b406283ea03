"""The sockets of this process on one game: they follow one copy of it; what it misses is read from the log."""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from games import queries
from games.engine.engine import Engine
from games.game.aggregate import GameState, fold
from games.game.events import Event, first_bad_version
from games.game.views import may_look, seat_of
from games.live.messages import SpokenPhrase
from games.metrics import counters
from games.rules.refused import Refused
from games.streams.channels.updates import PORTION, GameSnapshot, UpdateEncoder, changes_seats
from games.streams.frames import NOT_FOUND

logger = logging.getLogger(__name__)


class GameSocket(Protocol):
    """A socket that is subscribed to a game: a `GameConsumer` of games.streams."""

    player: str

    def deliver_update(self, update: UpdateEncoder, seat: int | None) -> None: ...

    def deliver_phrase(self, phrase: SpokenPhrase) -> None: ...

    def end(self, code: int) -> None: ...


class GameChannel:
    """A socket subscribes first, then the game is read: what is committed in between is either read or published."""

    def __init__(self, engine: Engine, game_id: UUID) -> None:
        self.game_id = game_id
        self._engine = engine
        self._sockets: dict[str, set[GameSocket]] = defaultdict(set)
        self._seats: list[tuple[GameSocket, int | None]] | None = None  # None: has to be worked out again
        self._snapshot: GameSnapshot | None = None
        self._inbox: deque[tuple[Sequence[Event], GameState | None]] = deque()  # commits that were delivered
        self._head = 0  # the newest version that is known of
        self._announced = 0  # the newest version that was announced without its events
        self._catching_up = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def snapshot(self) -> GameSnapshot:
        if self._snapshot is None:
            raise Refused("not_found")
        return self._snapshot

    @property
    def version(self) -> int:
        return self._snapshot.game.version if self._snapshot else 0

    @property
    def is_empty(self) -> bool:
        return not self._sockets

    def subscribe(self, socket: GameSocket) -> None:
        self._sockets[socket.player].add(socket)
        self._seats = None

    def unsubscribe(self, socket: GameSocket) -> None:
        self._seats = None
        self._sockets[socket.player].discard(socket)
        if not self._sockets[socket.player]:
            del self._sockets[socket.player]

    async def load(self, player: str) -> GameState:
        """The game as it is stored now, if this player may look at it."""
        known = await queries.visible(self._engine, self.game_id, player)
        person = await queries.people([known.game])
        if self._snapshot is None or known.game.version == self.version:  # names may have changed since they were read
            self._snapshot = GameSnapshot(known.game, known.code, person)
        self._head = max(self._head, known.game.version)
        await self._catch_up()
        return self.snapshot.game

    def deliver_commit(self, events: Sequence[Event], game: GameState | None) -> None:
        """Take one commit: nearly every one follows the copy and is sent to the sockets before this returns."""
        self._head = max(self._head, events[-1].version)
        self._inbox.append((events, game))
        if self._snapshot is None or self._catching_up.locked():
            return  # `_catch_up` takes it from the inbox
        if not self._send_at_once():
            self._catch_up_soon()

    def announce(self, version: int) -> None:
        self._announced = max(self._announced, version)
        self.reach_soon(version)

    def reach_soon(self, version: int) -> None:
        """The log ends at this version."""
        self._head = max(self._head, version)
        if self.version < self._head and self._snapshot is not None:
            self._catch_up_soon()

    async def reach(self, version: int) -> None:
        """Wait until all events up to this version have been handed to the sockets."""
        self._head = max(self._head, version)
        if self.version < version:
            await self._catch_up()

    def deliver_phrase(self, phrase: SpokenPhrase) -> None:
        for player, sockets in tuple(self._sockets.items()):
            if player not in phrase.muted_by:
                for socket in tuple(sockets):
                    socket.deliver_phrase(phrase)

    def seat_of(self, player: str) -> int | None:
        return seat_of(self.snapshot.game, player)

    def _send_at_once(self) -> bool:
        """Send the commits of the inbox. False: one is left, because events before it are missing or names of players
        have to be looked up; or the log has more."""
        while self._inbox:
            events, game = self._inbox[0]
            if events[-1].version > self.version:
                if changes_seats(events) or not self._follows(events, game):
                    return False
                game = game or fold(self.snapshot.game, events)
                self._send_update(GameSnapshot(game, self.snapshot.code, self.snapshot.person), events)
            self._inbox.popleft()
        return self.version >= self._head

    def _follows(self, events: Sequence[Event], game: GameState | None) -> bool:
        """Whether the events continue this copy. Those of another process have to be linked to its chain, too."""
        if events[0].version != self.version + 1:
            return False
        if game is None and first_bad_version(events, self.snapshot.game.head, self.version) is not None:
            counters.REJECTED.labels("chain").inc()
            return False
        return True

    def _catch_up_soon(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._try_to_catch_up())

    async def _try_to_catch_up(self) -> None:
        try:
            await self._catch_up()
        except Exception as error:  # noqa: BLE001  (the next heartbeat tries again)
            logger.warning("the sockets of game %s could not catch up: %s", self.game_id, error)

    async def _catch_up(self) -> None:
        async with self._catching_up:
            try:
                while not self._send_at_once():
                    await self._read_and_send()
            except Exception:
                self._inbox.clear()  # all of it is in the log
                raise

    async def _read_and_send(self) -> None:
        """Send one commit of the inbox after looking up the names of players, or else all that the log has."""
        events, game = self._inbox.popleft() if self._inbox else ((), None)
        if not events or not self._follows(events, game):
            events, game = await self._engine.log(self.game_id, self.version), None
            if not events:  # the head is a version that is not stored
                self._head = self.version
                return
            if events[-1].version > self._announced:
                counters.HOLES.inc()
        game = game or fold(self.snapshot.game, events)
        self._send_update(GameSnapshot(game, self.snapshot.code, await queries.people([game])), events)

    def _send_update(self, snapshot: GameSnapshot, events: Sequence[Event]) -> None:
        """Replace the copy by the one after these events, and hand the update to every socket."""
        self._snapshot = snapshot
        seats_changed = changes_seats(events)
        if self._seats is None or seats_changed:
            self._seats = self._seated(snapshot.game)
        for start in range(0, len(events), PORTION):
            update = UpdateEncoder(snapshot, events[start : start + PORTION], seats_changed=seats_changed)
            for socket, seat in self._seats:
                socket.deliver_update(update, seat)

    def _seated(self, game: GameState) -> list[tuple[GameSocket, int | None]]:
        """Every socket that may see the game, with its seat; the others are closed."""
        seats = {participant.player: participant.seat for participant in game.participants if participant.player}
        found: list[tuple[GameSocket, int | None]] = []
        for player, sockets in tuple(self._sockets.items()):
            may_stay = player in seats or may_look(game, player)
            for socket in tuple(sockets):
                if may_stay:
                    found.append((socket, seats.get(player)))
                else:
                    socket.end(NOT_FOUND)
        return found
