"""Identities of callers and profiles of players, from a cache while the change listener is connected.

One per process. `start` and `stop` are called on the web server's event loop; before `start` nothing is cached and
every call queries the database. Async callers await its methods; sync callers use the methods that end in `_sync`, from
any thread. Unknown tokens and deleted players are never cached.
"""

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import AsyncConnection

from players.database import timeouts
from players.database.background import BackgroundTasks
from players.database.change_listener import TIMEOUT_S, ChangeListener
from players.database.refusal import RequestRefused
from players.moderation.bans import ban_refusal, is_in_future
from players.sessions import tokens
from players.sessions.directory_cache import SIZE, DirectoryCache
from players.sessions.identity import (
    Identity,
    Profile,
    banned_sessions,
    deleted_profile,
    read_identity,
    read_identity_sync,
    read_profiles,
    read_profiles_sync,
    reads_committed_rows,
    revoked_sessions,
)
from players.sessions.last_seen import LastSeen

Argument = TypeVar("Argument")
Row = TypeVar("Row")
SessionListener = Callable[[UUID], None]

logger = logging.getLogger(__name__)


class Directory:
    def __init__(self, size: int = SIZE) -> None:
        self.revocation_listeners: list[SessionListener] = []  # called with each revoked session, on `start`'s loop
        self.ban_listeners: list[SessionListener] = []  # called with each session of a player who was banned
        self.listening = asyncio.Event()
        self.cache = DirectoryCache(size)
        self._open_streams: dict[UUID, list[Callable[[], None]]] = defaultdict(list)  # what to call at the end of each
        self._last_seen = LastSeen()
        self._listener = ChangeListener(self._on_change, self._on_connect, self._on_disconnect)
        self._background = BackgroundTasks()
        self._pool: timeouts.Pool | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self, conninfo: str, direct: str = "") -> None:
        """Return when the change listener is connected, or after a timeout if the database is not available yet.

        `direct`: the address of the server itself, if the other one leads through a pooler.
        """
        self._loop, self.listening = asyncio.get_running_loop(), asyncio.Event()
        self._pool = pool = timeouts.pool(conninfo, least=1, most=settings.CONNECTIONS.directory)
        await pool.open()
        self._background.start("change listener", lambda: self._listener.listen(direct or conninfo))
        self._background.start("last seen", lambda: self._last_seen.write_repeatedly(pool))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.listening.wait(), TIMEOUT_S)

    async def stop(self) -> None:
        """Write what was recorded, disconnect and empty the cache."""
        await self._background.stop()
        pool, self._pool, self._loop = self._pool, None, None
        if pool is not None:
            with contextlib.suppress(psycopg.Error):
                await self._last_seen.write(pool)
            await pool.close()

    async def whose(self, digest: bytes) -> Identity | None:
        """The identity of a token, by its stored hash; None if the token is unknown or revoked."""
        identity = self.known(digest)
        if identity is None:
            epoch = self.cache.epoch
            identity = await self._query(read_identity, read_identity_sync, digest)
            self._add_identity(epoch, digest, identity)
        return self._admit(identity)

    def identify_sync(self, token: str) -> Identity | None:
        digest = tokens.digest(token)
        if digest is None:
            return None
        identity = self.known(digest)
        if identity is None:
            epoch = self.cache.epoch
            identity = read_identity_sync(digest)
            if reads_committed_rows():
                self._add_identity(epoch, digest, identity)
        return self._admit(identity)

    async def profiles(self, players: Iterable[UUID]) -> dict[UUID, Profile]:
        """The profiles of these players; deleted players have an anonymous one."""
        wanted = tuple(players)
        found = self._cached_profiles(wanted)
        if len(found) < len(wanted) and (missing := {*wanted} - found.keys()):
            epoch = self.cache.epoch
            found |= self._add_profiles(epoch, missing, await self._query(read_profiles, read_profiles_sync, missing))
        return found

    def profiles_sync(self, players: Iterable[UUID]) -> dict[UUID, Profile]:
        wanted = tuple(players)
        found = self._cached_profiles(wanted)
        if len(found) < len(wanted) and (missing := {*wanted} - found.keys()):
            epoch = self.cache.epoch if reads_committed_rows() else None
            found |= self._add_profiles(epoch, missing, read_profiles_sync(missing))
        return found

    def forget(self, *changed: UUID) -> None:
        """Sessions or players that this process has changed, after the commit; callable from any thread."""
        for key in changed:
            self.cache.forget(key)

    @contextlib.contextmanager
    def holding(
        self, session: UUID, on_end: Callable[[], None] = lambda: None, *, until: datetime | None = None
    ) -> Iterator[None]:
        """While a stream is open: listeners learn of a revocation even if it happens while the listener reconnects.

        `on_end` is called when the session is revoked, its token expires (at `until`) or its player is banned. Enter
        this block first and then identify the session again, or a revocation between the two would be missed.
        """
        self._open_streams[session].append(on_end)
        expiry = self._call_at(until, session) if until else None
        try:
            yield
        finally:
            if expiry is not None:
                expiry.cancel()
            self._open_streams[session].remove(on_end)
            if not self._open_streams[session]:
                del self._open_streams[session]

    def _call_at(self, moment: datetime, session: UUID) -> asyncio.TimerHandle:
        seconds = max(0.0, moment.timestamp() - time.time())
        return asyncio.get_running_loop().call_later(seconds, self._call, self.revocation_listeners, session)

    @property
    def is_live(self) -> bool:
        """Whether the cache may be used now."""
        return time.monotonic() < self._listener.live_until

    def known(self, digest: bytes) -> Identity | None:
        """The identity of a token, if it is cached; the player may be banned."""
        return self.cache.identity(digest) if self.is_live else None

    def _cached_profiles(self, players: Iterable[UUID]) -> dict[UUID, Profile]:
        return self.cache.profiles(players) if self.is_live else {}

    def _add_identity(self, epoch: int, digest: bytes, identity: Identity | None) -> None:
        if identity is not None and self.is_live:
            self.cache.add_identity(epoch, digest, identity)

    def _add_profiles(self, epoch: int | None, missing: set[UUID], found: list[Profile]) -> dict[UUID, Profile]:
        """Cache what was found, unless the epoch is None; return a profile for every missing player."""
        if epoch is not None and self.is_live:
            self.cache.add_profiles(epoch, found)
        return {player: deleted_profile(player) for player in missing} | {profile.id: profile for profile in found}

    def _admit(self, identity: Identity | None) -> Identity | None:
        """Refuse an expired token and a banned player, and record that the session was seen."""
        if identity is None or (identity.expires_at is not None and not is_in_future(identity.expires_at)):
            return None
        if identity.banned_until is not None and is_in_future(identity.banned_until):
            raise ban_refusal(identity.banned_until)
        if self._pool is not None:
            self._last_seen.record(identity.session, time.monotonic())
        return identity

    async def _query(self, on_loop: Any, in_thread: Callable[[Argument], Row], argument: Argument) -> Row:
        """On the event loop of `start` through the pool, on any other loop in a thread."""
        if self._pool is None or asyncio.get_running_loop() is not self._loop:
            return await asyncio.to_thread(_run_and_disconnect, in_thread, argument)
        try:
            async with self._pool.connection() as database:
                with timeouts.watched(database):
                    found: Row = await on_loop(database, argument)
                return found
        except psycopg.OperationalError as error:
            raise RequestRefused("unavailable") from error

    def _on_change(self, change: str) -> None:
        kind, _, text = change.partition(":")
        try:
            key = UUID(text)
        except ValueError:  # all rows, or a notification that only a later version understands
            self.cache.forget_all()
            return
        self.cache.forget(key)
        if kind == "session":
            self._call(self.revocation_listeners, key)
        elif kind == "banned":
            self._call(self.ban_listeners, key)

    def _call(self, listeners: list[SessionListener], session: UUID) -> None:
        for end in self._open_streams.get(session, ()):
            end()
        for listener in listeners:
            try:
                listener(session)
            except Exception:
                logger.exception("a listener failed on the revocation of session %s", session)

    async def _on_connect(self, database: AsyncConnection[Any]) -> None:
        """Changes before the connection were not notified: empty the cache and check the sessions of open streams."""
        self.cache.forget_all()
        self.listening.set()
        self._background.start("check of idle connections", self._check_pools)
        if self._open_streams:
            for session in await revoked_sessions(database, list(self._open_streams)):
                self._call(self.revocation_listeners, session)
            for session in await banned_sessions(database, list(self._open_streams)):
                self._call(self.ban_listeners, session)

    async def _check_pools(self) -> None:
        """Replace all broken connections now: callers would find them one by one, with a growing pause after each."""
        if self._pool is not None:
            await self._pool.check()
        await asyncio.to_thread(timeouts.check_idle_connections)

    def _on_disconnect(self) -> None:
        self.listening.clear()
        self.cache.forget_all()


def _run_and_disconnect(query: Callable[[Argument], Row], argument: Argument) -> Row:
    """Threads of the pool are shared, so this thread must not keep its connection."""
    try:
        return query(argument)
    finally:
        connection.close()


directory = Directory()  # of this process
