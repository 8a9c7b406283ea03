"""One engine per process: games in memory; decide, append, retry, exactly once. Knows neither HTTP nor any rule."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from typing import assert_never
from uuid import UUID

from games.engine.cache import CachedGame, GameCache
from games.engine.keyed_lock import KeyedLock
from games.engine.nonces import nonce
from games.game.aggregate import GameState, fold
from games.game.dice import DiceSource
from games.game.draft import Draft, Moment
from games.game.events import Event
from games.game.values import Value
from games.log import connections, store
from games.log.connections import Connection, Pool
from games.log.group_commit import GroupCommit
from games.log.outages import OutageMonitor
from games.log.rows import Caller, game_of, next_rows
from games.metrics import counters
from games.rules.refused import Refused
from players.database.ids import uuid_of

ATTEMPTS = 8  # how often a command is decided again because another process appended first
SUBMIT_S = 8.0  # for one command, with its wait for the game's lock
WARMED_AT_ONCE = 100
LOG_PAGE = 500  # events that are read and folded before other work on the event loop gets its turn
READERS, CLAIMERS = 8, 16  # connections
CODE_LENGTH = 6
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no two look alike
SERVICE = Caller()

logger = logging.getLogger(__name__)


class CommandResult(Value, frozen=True):
    """The game after a command, and the events that it appended, now or when its key was first used."""

    game: GameState
    code: str
    events: tuple[Event, ...] = ()
    is_replay: bool = False


Decide = Callable[[GameState, Moment], Draft]
Listener = Callable[[GameState, tuple[Event, ...]], None]


class Engine:
    """Lives on one event loop; `games.runtime` gives each process its one engine and makes it reachable from threads.

    A command on a game in memory is one round trip to the database; on any other game it is two.
    """

    def __init__(self, conninfo: str, listeners: Iterable[Listener] = ()) -> None:
        self.listeners = list(listeners)  # called after the commit, before the caller is answered
        self.outage_monitor = OutageMonitor(conninfo)
        self._conninfo = conninfo
        self._group_commit = GroupCommit(conninfo)
        self._cache = GameCache()
        self._locks = KeyedLock()
        self._readers: Pool
        self._claimers: Pool

    async def open(self) -> None:
        self._readers = await connections.open_pool(self._conninfo, READERS)
        # A claim holds its connection as long as the work takes; readers must not wait for that.
        self._claimers = await connections.open_pool(self._conninfo, CLAIMERS)

    async def close(self) -> None:
        """Store what is under way, then disconnect."""
        await self._group_commit.close()
        await self.outage_monitor.close()
        await connections.close_pool(self._claimers)
        await connections.close_pool(self._readers)

    async def submit(self, game_id: UUID, decide: Decide, now: datetime, caller: Caller = SERVICE) -> CommandResult:
        """Decide a command and store its events. Until its first wait this runs in one go: for a game in memory that no
        other command holds, its rows are handed to group commit before `submit` first yields to the event loop."""
        key = game_id.int
        try:
            async with asyncio.timeout(SUBMIT_S):
                if not self._locks.try_acquire(key):
                    await self._locks.acquire(key)
                try:
                    return await self._submit(game_id, decide, now, caller)
                finally:
                    self._locks.release(key)
        except TimeoutError:
            raise Refused("unavailable") from None

    async def _submit(self, game_id: UUID, decide: Decide, now: datetime, caller: Caller) -> CommandResult:
        known = self._cache.get(game_id)
        is_fresh = known is None
        for _ in range(ATTEMPTS):
            known = known or await self._load(game_id)
            outcome = await self._attempt(known, decide, now, caller, is_fresh=is_fresh)
            if isinstance(outcome, CommandResult):
                return outcome
            known, is_fresh = outcome, True
        raise Refused("unavailable")

    async def _attempt(
        self, known: CachedGame, decide: Decide, now: datetime, caller: Caller, *, is_fresh: bool
    ) -> CommandResult | CachedGame | None:
        """The result, or the newer state to decide on, or None: decide on what is stored now. A refusal, and a result
        that appends nothing, count only when they were decided on fresh state."""
        try:
            draft = decide(known.game, known.moment(now))
        except Refused:
            earlier = await self.earlier(caller)
            if earlier is None and is_fresh:
                counters.refused()
                raise
            return earlier
        if draft.facts:
            return await self._append(known, draft, caller)
        return await self._unchanged(known, caller, is_fresh=is_fresh)

    async def _append(self, known: CachedGame, draft: Draft, caller: Caller) -> CommandResult | CachedGame | None:
        """Hand the rows of a draft to group commit; the table says what follows from each outcome."""
        events = draft.events()
        after = known.after(draft.result(events))
        rows = next_rows(known.game, after.game, events, caller, known.birth())
        status, winners, receipt, error = await self._group_commit.append(rows, partial(self._publish, after, events))
        match status:
            case "ok":
                return CommandResult(after.game, after.code, events)
            case "conflict":
                return await self._newer(known, winners)
            case "duplicate":
                return await self._replay(receipt, caller) if receipt else None
            case "code_taken":
                return None
            case "missing":
                raise Refused("not_found")
            case "revoked":
                raise Refused("not_authenticated")
            case "failed":
                raise error or Refused("unavailable")
        assert_never(status)

    def _publish(self, after: CachedGame, events: tuple[Event, ...]) -> None:
        """After the commit: keep the game in memory, then call the listeners. Their errors do not fail the command."""
        self._cache.put(after)
        for listener in self.listeners:
            try:
                listener(after.game, events)
            except Exception:
                logger.exception("a listener failed on game %s at version %s", after.game.id, after.game.version)

    async def _newer(self, known: CachedGame, winners: tuple[Event, ...]) -> CachedGame | None:
        """The game with the events that were appended first; None: they do not follow from what is in memory."""
        if known.game.version == 0:
            return await self._load(uuid_of(known.game.id))
        return self._cache.put(known.after(fold(known.game, winners))) if winners else None

    async def _unchanged(self, known: CachedGame, caller: Caller, *, is_fresh: bool) -> CommandResult | None:
        """A command that appends nothing is stored under its key, too: a repeat must not do something else later."""
        earlier = await self.earlier(caller)
        if earlier is not None or not is_fresh:
            return earlier
        receipt = caller.receipt()
        if receipt is not None:
            async with self._reading() as connection:
                if not await store.note(connection, uuid_of(known.game.id), known.game.version, receipt):
                    return None
        return CommandResult(known.game, known.code)

    async def create(
        self, game_id: UUID, decide: Callable[[Moment], Draft], now: datetime, caller: Caller
    ) -> CommandResult | None:
        """Decide and store the first events of a game, with secrets and a code drawn here. None: the game exists."""
        secret, bot_secret = secrets.token_bytes(32), secrets.token_bytes(32)
        draft = decide(Moment(now, DiceSource(secret, str(game_id)), nonce()))
        for _ in range(ATTEMPTS):
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            outcome = await self._append(CachedGame(draft.before, secret, bot_secret, code), draft, caller)
            if outcome is not None:
                return outcome if isinstance(outcome, CommandResult) else None
        raise Refused("unavailable")

    async def earlier(self, caller: Caller) -> CommandResult | None:
        """The result of the earlier command with the same key."""
        receipt = caller.receipt()
        if receipt is None:
            return None
        async with self._reading() as connection:
            stored = await store.receipt(connection, receipt.player, receipt.key)
        if stored is None:
            return None
        done = await self._replay(stored, caller)
        counters.repeated()
        return done

    async def _replay(self, receipt: store.StoredReceipt, caller: Caller) -> CommandResult:
        """The result that was given then, rebuilt from the log."""
        if receipt.fingerprint != caller.fingerprint:
            raise Refused("idempotency_key_reused")
        game_id, before = receipt.game, receipt.first_version - 1
        game = await self.game_at(game_id, receipt.last_version)
        events = await self.log(game_id, before, receipt.last_version - before)
        async with self._reading() as connection:
            loaded = await store.load(connection, game_id)
        return CommandResult(game, loaded.code if loaded else "", tuple(events), is_replay=True)

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
        async for page in self._pages(game_id, 0, version):
            game = fold(game, page)
        return fold(game, ())

    async def _pages(self, game_id: UUID, after: int, limit: int | None) -> AsyncIterator[list[Event]]:
        """A log in pages, so that a long one does not stop the event loop."""
        while limit is None or limit > 0:
            size = LOG_PAGE if limit is None else min(limit, LOG_PAGE)
            async with self._reading() as connection:
                page = await store.events_after(connection, game_id, after, size)
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

    async def playing(self, players: list[UUID]) -> list[tuple[UUID, UUID, bool]]:
        """The games in progress of these players: player, game, and whether it waits for the player."""
        async with self._reading() as connection:
            return await store.playing(connection, players)

    async def by_code(self, code: str) -> UUID | None:
        async with self._reading() as connection:
            return await store.game_with_code(connection, code)

    def claiming(self) -> AbstractAsyncContextManager[Connection]:
        """A connection on which a sweeper claims games."""
        return connections.acquired(self._claimers)

    def _reading(self) -> AbstractAsyncContextManager[Connection]:
        return connections.acquired(self._readers)
