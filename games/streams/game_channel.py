"""The sockets of this process on one game. They follow one copy of it; what the copy misses is read from the log."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from games import queries
from games.engine.cache import CachedGame
from games.engine.engine import Engine
from games.game.aggregate import Game, Participant, fold
from games.game.events import Event
from games.game.views import may_look, seat_of
from games.live.hub import Spoken
from games.metrics import counters
from games.rules.refused import Refused
from games.streams.frames import NOT_FOUND
from games.streams.updates import Batch

logger = logging.getLogger(__name__)


class Seated(Protocol):
    """A socket at the table."""

    player: str

    def take(self, batch: Batch, seat: int | None) -> None: ...

    def hear(self, spoken: Spoken) -> None: ...

    def end(self, code: int) -> None: ...


class Table:
    """Sockets join first, then the game is read: what is committed in between is either read or told."""

    def __init__(self, engine: Engine, game_id: UUID) -> None:
        self.game_id = game_id
        self.game: Game | None = None
        self.code = ""
        self.sockets: dict[str, set[Seated]] = defaultdict(set)
        self._engine = engine
        self._participants: tuple[Participant, ...] = ()
        self._places: list[tuple[Seated, int | None]] | None = (
            None  # who gets what, by those participants; None: to be found
        )
        self._heard = 0  # the newest version anybody has spoken of
        self._healing: asyncio.Task[None] | None = None

    @property
    def version(self) -> int:
        return self.game.version if self.game else 0

    def join(self, socket: Seated) -> None:
        self.sockets[socket.player].add(socket)
        self._places = None

    def leave(self, socket: Seated) -> None:
        self._places = None
        self.sockets[socket.player].discard(socket)
        if not self.sockets[socket.player]:
            del self.sockets[socket.player]

    async def look(self, player: str) -> Game:
        """The game as it is now, if this player may look at it."""
        known: CachedGame = await queries.visible(self._engine, self.game_id, player)
        self.code = known.code
        if self.game is None:
            self.game = known.game
        self._heard = max(self._heard, known.game.version)
        while self.version < self._heard:
            await self.heal()
        return self.game

    def told(self, game: Game, events: tuple[Event, ...]) -> None:
        """Committed here, just now."""
        if self.game is not None and events[0].version == self.version + 1:
            self._move_on(game, events)
        else:
            self.heard(events)

    def heard(self, events: Sequence[Event]) -> None:
        """Committed somewhere. What is known is dropped, and a hole is read from the log."""
        self._heard = max(self._heard, events[-1].version)
        if self.game is None:
            return
        new = [event for event in events if event.version > self.version]
        if new and new[0].version == self.version + 1:
            self._move_on(fold(self.game, new), new)
        elif new:
            self.heal_soon(self._heard)

    def spoken(self, spoken: Spoken) -> None:
        """Whoever is here hears it now, whoever is not never does."""
        for player, sockets in tuple(self.sockets.items()):
            if player not in spoken.deaf:
                for socket in tuple(sockets):
                    socket.hear(spoken)

    def heal_soon(self, version: int) -> None:
        """Somebody knows of a version that this table lacks."""
        self._heard = max(self._heard, version)
        if self.version < self._heard and self.game is not None and self._healing is None:
            self._healing = asyncio.create_task(self._heal_until_whole())

    async def _heal_until_whole(self) -> None:
        try:
            while self.version < self._heard:
                await self.heal()
        except Exception as trouble:  # noqa: BLE001  (the next heartbeat tries again)
            logger.warning("game %s could not be caught up with: %s", self.game_id, trouble)
        finally:
            self._healing = None

    async def heal(self) -> None:
        """Read what is missing."""
        before = self.version
        events = await self._engine.log(self.game_id, before)
        if self.version < events[-1].version if events else False:
            counters.HOLES.inc()
            self.heard(events)
        elif self.version == before:  # somebody spoke of what is not there
            self._heard = before

    def _move_on(self, game: Game, events: Sequence[Event]) -> None:
        self.game = game
        if self._places is None or self._participants is not game.participants:
            self._participants, self._places = game.participants, self._placed(game)
        batch = Batch(game, events)
        for socket, seat in self._places:
            socket.take(batch, seat)

    def _placed(self, game: Game) -> list[tuple[Seated, int | None]]:
        """Every socket that may look on, and its seat; others are shown out."""
        seats = {participant.player: participant.seat for participant in game.participants if participant.player}
        places: list[tuple[Seated, int | None]] = []
        for player, sockets in tuple(self.sockets.items()):
            may_stay = player in seats or may_look(game, player)
            for socket in tuple(sockets):
                if may_stay:
                    places.append((socket, seats.get(player)))
                else:
                    socket.end(NOT_FOUND)
        return places

    def seat_of(self, player: str) -> int | None:
        if self.game is None:
            raise Refused("not_found")
        return seat_of(self.game, player)
