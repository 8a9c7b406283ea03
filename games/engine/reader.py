"""Reads games and their logs: from memory if the stored version is the same, else from the database."""

import contextlib
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager
from uuid import UUID

from games.engine.cache import CachedGame, GameCache
from games.game.aggregate import GameState, fold
from games.game.events import Event
from games.log import connections, store
from games.log.archive import read_through
from games.log.connections import Connection, Pool
from games.log.reads.replica_reads import ReplicaReader
from games.log.rows import game_of
from games.rules.refused import Refused

READERS = 8  # connections, unless the process has fewer (`players/limits/connection_budget.py`)
WARMED_AT_ONCE = 100
LOG_PAGE = 500  # events that are read and folded before other work on the event loop gets its turn


class GameReader:
    """The reading side of the engine."""

    def __init__(self, conninfo: str, readers: int = READERS, replica: str = "") -> None:
        self._conninfo, self._size = conninfo, readers
        self._cache = GameCache()
        self._readers: Pool
        self._replica = ReplicaReader(replica) if replica else None

    async def open(self) -> None:
        self._readers = await connections.open_pool(self._conninfo, self._size)
        if self._replica:
            await self._replica.open()

    async def close(self) -> None:
        await connections.close_pool(self._readers)
        if self._replica:
            await self._replica.close()

    async def read(self, game_id: UUID) -> CachedGame:
        """The game as it is stored now: another process may have appended to it."""
        known = self._cache.get(game_id)
        if known is not None:
            async with self._reading() as connection:
                if await store.version(connection, game_id) == known.game.version:
                    return known
        return await self._load(game_id)

    async def _load(self, game_id: UUID) -> CachedGame:
        async with self._reading() as connection:
            loaded = await store.load(connection, game_id)
            if loaded is None:
                raise Refused("not_found")
        game = game_of(loaded) or await self.game_at(game_id, loaded.version)
        return self._cache.put(CachedGame(game, loaded.secret, loaded.bot_secret, loaded.code))

    async def warm(self, games: Iterable[UUID]) -> None:
        """Load games that will be needed soon, many in one round trip."""
        unknown = [game_id for game_id in games if game_id not in self._cache]
        for start in range(0, len(unknown), WARMED_AT_ONCE):
            async with self._reading() as connection:
                found = await store.load_many(connection, unknown[start : start + WARMED_AT_ONCE])
            for game_id, loaded in found.items():
                with contextlib.suppress(Exception):  # raised again for the caller that needs this game
                    game = game_of(loaded)
                    if game is not None and game_id not in self._cache:
                        self._cache.put(CachedGame(game, loaded.secret, loaded.bot_secret, loaded.code))

    def forget(self, game_id: UUID) -> None:
        """Drop a game from memory."""
        self._cache.drop(game_id)

    async def log(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Event]:
        """Events after a version, oldest first."""
        return [event async for page in self._pages(game_id, after, limit) for event in page]

    async def game_at(self, game_id: UUID, version: int) -> GameState:
        """The game at a version, folded from its log."""
        game = None
        async for page in self.log_until(game_id, version):
            game = fold(game, page)
        return fold(game, ())

    def log_until(self, game_id: UUID, version: int) -> AsyncIterator[list[Event]]:
        """The events of a game up to a version that it has reached, in pages; a replica may have them, too."""
        return self._pages(game_id, 0, version, self._replica)

    async def _pages(
        self, game_id: UUID, after: int, limit: int | None, replica: ReplicaReader | None = None
    ) -> AsyncIterator[list[Event]]:
        """A log in pages, so that a long one does not stop the event loop."""
        while limit is None or limit > 0:
            size = LOG_PAGE if limit is None else min(limit, LOG_PAGE)
            page = await replica.events(game_id, after, size) if replica else None
            page = page or await read_through.events_after(self._reading, game_id, after, size)
            if page:
                yield page
            if len(page) < size:
                return
            after, limit = page[-1].version, None if limit is None else limit - len(page)

    async def follow(self, game_id: UUID, after: int, limit: int | None = None) -> tuple[list[Event], GameState]:
        """The events after a version, and the game after the last of them or later: one round trip if the game is in
        memory and `limit` cuts nothing off."""
        events, known = await self.log(game_id, after, limit), self._cache.get(game_id)
        if known is not None and len(events) != limit:
            unknown = [event for event in events if event.version > known.game.version]
            if unknown and unknown[0].prev == known.game.head:
                known = self._cache.put(known.after(fold(known.game, unknown)))
            if known.game.version >= (events[-1].version if events else after):
                return events, known.game
        return events, (await self.read(game_id)).game

    async def versions(self, games: list[UUID]) -> dict[UUID, int]:
        """The last versions of these games."""
        async with self._reading() as connection:
            return await store.versions(connection, games) if games else {}

    async def playing(self, players: list[UUID]) -> list[store.GameInProgress]:
        """The games in progress of these players."""
        async with self._reading() as connection:
            return await store.playing(connection, players)

    async def applied_migrations(self) -> set[tuple[str, str]]:
        """App and name of each; a database that was never migrated has none."""
        async with self._reading() as connection:
            return await store.applied_migrations(connection)

    async def by_code(self, code: str) -> UUID | None:
        async with self._reading() as connection:
            return await store.game_with_code(connection, code)

    def _reading(self) -> AbstractAsyncContextManager[Connection]:
        return connections.acquired(self._readers)
