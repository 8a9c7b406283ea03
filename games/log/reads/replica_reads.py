"""Reads parts of logs that are known to be complete from a replica of the database."""

from contextlib import AbstractAsyncContextManager
from uuid import UUID

import asyncpg

from games.game.events import Event
from games.log import connections
from games.log.archive import read_through
from games.log.connections import Connection, Pool
from games.rules.refused import Refused
from players.database import replica

READERS = 2  # connections


class ReplicaReader:
    """A log only grows: the events up to a version are the same everywhere, or are not there yet."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._pool: Pool

    async def open(self) -> None:
        self._pool = await connections.open_pool(self._conninfo, READERS)

    async def close(self) -> None:
        await connections.close_pool(self._pool)

    async def events(self, game: UUID, after: int, count: int) -> list[Event] | None:
        """Exactly so many events after a version. None: the replica lags behind, or is away."""
        if replica.is_away():
            return None
        try:
            found = await read_through.events_after(self._reading, game, after, count)
        except (Refused, asyncpg.PostgresError) as error:
            replica.note_failure(error.__cause__ or error)
            return None
        return found if len(found) == count else None

    def _reading(self) -> AbstractAsyncContextManager[Connection]:
        return connections.acquired(self._pool)
