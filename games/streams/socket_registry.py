"""All sockets of this process: the tables they sit at, the sessions they belong to, the pulse that keeps them right.

The pulse reads the versions of all tables in one query every few seconds: whatever Redis has lost arrives with it.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Iterator
from typing import Protocol
from uuid import UUID

from games import runtime
from games.engine.engine import Engine
from games.live.hub import Hub
from games.metrics import counters
from games.streams.frames import HEARTBEAT_S, NOT_ALLOWED, NOT_AUTHENTICATED
from games.streams.game_channel import Table
from games.streams.lobby_and_me import Lobby, Mail
from players.sessions.directory import directory

PULSE_S = 5.0  # a part of HEARTBEAT_S
BEATS = round(HEARTBEAT_S / PULSE_S)

logger = logging.getLogger(__name__)


class Guest(Protocol):
    """A socket, whatever it follows."""

    kind: str
    session: UUID

    def beat(self) -> None:
        """Time for a heartbeat."""

    def end(self, code: int) -> None: ...


class Floor:
    def __init__(self, engine: Engine, hub: Hub) -> None:
        self.engine, self.hub = engine, hub
        self.tables: dict[UUID, Table] = {}
        self.lobby = Lobby(hub)
        self.mail = Mail(engine, hub)
        self.guests: dict[UUID, set[Guest]] = defaultdict(set)
        self._pulse: asyncio.Task[None] | None = None
        self._extra: asyncio.Task[None] | None = None
        self._is_stale = False  # has something been missed since the last look began?
        hub.returns.append(self._redis_is_back)

    @contextlib.contextmanager
    def visit(self, guest: Guest) -> Iterator[None]:
        """From here to the end of the block this socket is counted, kept alive, and shown out with its session."""
        if self._pulse is None:
            directory.listeners.append(self._revoked)
            directory.bouncers.append(self._barred)
            self._pulse = asyncio.create_task(self._beat())
        self.guests[guest.session].add(guest)
        counters.SOCKETS.labels(guest.kind).inc()
        try:
            with directory.holding(guest.session):
                yield
        finally:
            counters.SOCKETS.labels(guest.kind).dec()
            self.guests[guest.session].discard(guest)
            if not self.guests[guest.session]:
                del self.guests[guest.session]
            if not self.guests and self._pulse is not None:
                self._pulse.cancel()
                self._pulse = None
                directory.listeners.remove(self._revoked)
                directory.bouncers.remove(self._barred)

    def table(self, game_id: UUID) -> Table:
        """Where the sockets on this game sit; gone with the last of them."""
        table = self.tables.get(game_id)
        if table is None:
            table = self.tables[game_id] = Table(self.engine, game_id)
            self.hub.tables[str(game_id)] = table
        return table

    def clear(self, table: Table) -> None:
        if not table.sockets and self.tables.get(table.game_id) is table:
            del self.tables[table.game_id], self.hub.tables[str(table.game_id)]

    def _revoked(self, session: UUID) -> None:
        for guest in tuple(self.guests.get(session, ())):
            guest.end(NOT_AUTHENTICATED)

    def _barred(self, session: UUID) -> None:
        for guest in tuple(self.guests.get(session, ())):
            guest.end(NOT_ALLOWED)

    def _redis_is_back(self) -> None:
        """One look at a time, however often it is said; the last one is begun after the last word."""
        self._is_stale = True
        if self._pulse is not None and (self._extra is None or self._extra.done()):
            self._extra = asyncio.create_task(self._look_until_fresh())

    async def _look_until_fresh(self) -> None:
        while self._is_stale:
            self._is_stale = False
            await self._look()

    async def _beat(self) -> None:
        number = 0
        while True:
            await asyncio.sleep(PULSE_S)
            number += 1
            await self._look()
            if number % BEATS == 0:
                for guests in tuple(self.guests.values()):
                    for guest in tuple(guests):
                        guest.beat()

    async def _look(self) -> None:
        """Is there anything that nobody has told us of?"""
        try:
            versions = await self.engine.versions(list(self.tables))
            for game_id, version in versions.items():
                if table := self.tables.get(game_id):
                    table.heal_soon(version)
            await self.lobby.look()
            await self.mail.look()
        except Exception as trouble:  # noqa: BLE001  (the next beat tries again)
            logger.warning("whether anything was missed is not known: %s", trouble)


_floors: list[Floor] = []


async def floor() -> Floor:
    """The one of this process, made anew where the engine was."""
    engine, hub = await runtime.engine(), await runtime.hub()
    if not _floors or _floors[0].engine is not engine:
        _floors[:] = [Floor(engine, hub)]
    return _floors[0]
