"""The events of a game, wherever they are: in the database, in the archive, or partly in each."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeAlias
from uuid import UUID

from games.game.events import Event
from games.log import store
from games.log.archive.archived_logs import archive_reader
from games.log.archive.places import place
from games.log.connections import Connection

# Of their own: a store that does not answer must not hold the threads that others use.
threads = ThreadPoolExecutor(4, "archive")

Reading: TypeAlias = Callable[[], AbstractAsyncContextManager[Connection]]


async def events_after(reading: Reading, game: UUID, version: int, limit: int | None = None) -> list[Event]:
    """The events after a version, oldest first. No connection is held while the archive is read."""
    async with reading() as connection:
        events = await store.page(connection, game, version, limit)
        if events is not None:
            return events
        archived = await place(connection, game)
        if archived is None:
            return []
        later = await store.later(connection, game, archived.version, archived.hash.hex(), limit)
    if version >= archived.version:
        return [event for event in later if event.version > version][:limit]
    kept = await asyncio.get_running_loop().run_in_executor(threads, archive_reader.log, archived)
    return [*kept[version:], *later][:limit]


def using(connection: Connection) -> Reading:
    """A connection that the caller has."""

    @asynccontextmanager
    async def given() -> AsyncIterator[Connection]:
        yield connection

    return given
