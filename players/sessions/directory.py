"""Who asks, and how players are shown: what every request wants to know, from memory while changes are heard of.

One per process. Its `start` and `stop` belong to the web server's event loop; unless it is started nothing is
remembered and every call asks the database. Async callers await it, sync callers use the functions that end in `_sync`,
from any thread. Tokens that are not known, and players who are not there, are never remembered.
"""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from django.db import connection
from psycopg import AsyncConnection

from players.database import timeouts
from players.database.change_listener import PATIENCE_S, ChangeListener
from players.database.refusal import Refused
from players.sessions import last_seen, lookup, tokens
from players.sessions.cache import SIZE, Memory
from players.sessions.identity import Identity, Profile, nobody
from players.sessions.last_seen import Presence

WRITE_PRESENCE_EVERY_S = 5.0
FOR_GOOD = datetime(9999, 12, 31, tzinfo=UTC)  # the end of a ban that has none

Argument = TypeVar("Argument")
Result = TypeVar("Result")
Listener = Callable[[UUID], None]

logger = logging.getLogger(__name__)


class Directory:
    def __init__(self, size: int = SIZE) -> None:
        self.listeners: list[Listener] = []  # told of every revoked session, on the loop that `start` was called on
        self.bouncers: list[Listener] = []  # the same, of every session whose player was banned
        self.listening = asyncio.Event()
        self._held: Counter[UUID] = Counter()
        self._memory = Memory(size)
        self._presence = Presence()
        self._ear = ChangeListener(self._heard, self._opened, self._lost)
        self._pool: timeouts.Pool | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, conninfo: str) -> None:
        """Returns when changes are heard of; at once, when the database is not there yet."""
        self._loop, self.listening = asyncio.get_running_loop(), asyncio.Event()
        self._pool = timeouts.pool(conninfo, least=1, most=4)
        await self._pool.open()
        self._tasks = [asyncio.create_task(self._ear.listen(conninfo)), asyncio.create_task(self._write_presence())]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.listening.wait(), PATIENCE_S)

    async def stop(self) -> None:
        """Writes what is noted, hangs up, and remembers nothing."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        pool, self._pool, self._loop, self._tasks = self._pool, None, None, []
        if pool is not None:
            with contextlib.suppress(psycopg.Error):
                await self._write_presence_once(pool)
            await pool.close()

    async def identify(self, token: str) -> Identity | None:
        """Whose token it is; None when it is nobody's, or no longer."""
        digest = tokens.digest(token)
        return None if digest is None else await self.whose(digest)

    async def whose(self, digest: bytes) -> Identity | None:
        """The same, by what is stored of the token."""
        identity = self._recall(digest)
        if identity is None:
            epoch = self._memory.epoch
            identity = await self._ask(lookup.identity, lookup.identity_sync, digest)
            self._keep(epoch, digest, identity)
        return self._seen(identity)

    def identify_sync(self, token: str) -> Identity | None:
        digest = tokens.digest(token)
        if digest is None:
            return None
        identity = self._recall(digest)
        if identity is None:
            epoch = self._memory.epoch
            identity = lookup.identity_sync(digest)
            if lookup.is_settled():
                self._keep(epoch, digest, identity)
        return self._seen(identity)

    async def profiles(self, players: Iterable[UUID]) -> dict[UUID, Profile]:
        """How they are shown, whoever of them is still there."""
        wanted = tuple(players)
        found = self._recall_profiles(wanted)
        if len(found) < len(wanted) and (missing := {*wanted} - found.keys()):
            epoch = self._memory.epoch
            read = await self._ask(lookup.profiles, lookup.profiles_sync, missing)
            self._keep_profiles(epoch, read)
            found |= {player: nobody(player) for player in missing} | {profile.id: profile for profile in read}
        return found

    def profiles_sync(self, players: Iterable[UUID]) -> dict[UUID, Profile]:
        wanted = tuple(players)
        found = self._recall_profiles(wanted)
        if len(found) < len(wanted) and (missing := {*wanted} - found.keys()):
            epoch = self._memory.epoch
            read = lookup.profiles_sync(missing)
            if lookup.is_settled():
                self._keep_profiles(epoch, read)
            found |= {player: nobody(player) for player in missing} | {profile.id: profile for profile in read}
        return found

    def forget(self, *changed: UUID) -> None:
        """Sessions or players that this process itself has changed, as soon as that is committed; from any thread."""
        for key in changed:
            self._memory.forget(key)

    @contextlib.contextmanager
    def holding(self, session: UUID) -> Iterator[None]:
        """While a stream is open: listeners hear of its revocation even if it happened while the line was lost.

        Hold first, then identify once more: a revocation between the two would be heard by nobody.
        """
        self._held[session] += 1
        try:
            yield
        finally:
            self._held[session] -= 1
            if not self._held[session]:
                del self._held[session]

    @property
    def is_live(self) -> bool:
        """Whether memory may be trusted now."""
        return time.monotonic() < self._ear.until

    def _recall(self, digest: bytes) -> Identity | None:
        return self._memory.identity(digest) if self.is_live else None

    def _recall_profiles(self, players: Iterable[UUID]) -> dict[UUID, Profile]:
        return self._memory.profiles(players) if self.is_live else {}

    def _keep(self, epoch: int, digest: bytes, identity: Identity | None) -> None:
        if identity is not None and self.is_live:
            self._memory.keep_identity(epoch, digest, identity)

    def _keep_profiles(self, epoch: int, profiles: Iterable[Profile]) -> None:
        if self.is_live:
            self._memory.keep_profiles(epoch, profiles)

    def _seen(self, identity: Identity | None) -> Identity | None:
        """Whoever is banned is known, and not let in."""
        if identity is not None and identity.banned_until is not None and is_ahead(identity.banned_until):
            raise banned(identity.banned_until)
        if identity is not None and self._pool is not None:
            self._presence.note(identity.session, time.monotonic())
        return identity

    async def _ask(self, here: Any, elsewhere: Callable[[Argument], Result], argument: Argument) -> Result:
        """On this loop where it is the directory's own, else in a thread."""
        if self._pool is None or asyncio.get_running_loop() is not self._loop:
            return await asyncio.to_thread(_in_a_thread, elsewhere, argument)
        try:
            async with self._pool.connection() as database:
                with timeouts.watched(database):
                    answer: Result = await here(database, argument)
                return answer
        except psycopg.OperationalError as trouble:
            raise Refused("unavailable") from trouble

    def _heard(self, change: str) -> None:
        kind, _, text = change.partition(":")
        try:
            key = UUID(text)
        except ValueError:  # all of them, or in words that only a later version knows
            self._memory.forget_all()
            return
        self._memory.forget(key)
        if kind == "session":
            self._tell(self.listeners, key)
        elif kind == "barred":
            self._tell(self.bouncers, key)

    def _tell(self, listeners: list[Listener], session: UUID) -> None:
        for listener in listeners:
            try:
                listener(session)
            except Exception:
                logger.exception("a listener failed on the revocation of session %s", session)

    async def _opened(self, line: AsyncConnection[Any]) -> None:
        """What was read before the line was open may have changed unheard."""
        self._memory.forget_all()
        self.listening.set()
        if self._held:
            for session in await lookup.revoked(line, list(self._held)):
                self._tell(self.listeners, session)
            for session in await lookup.barred(line, list(self._held)):
                self._tell(self.bouncers, session)

    def _lost(self) -> None:
        self.listening.clear()
        self._memory.forget_all()

    async def _write_presence(self) -> None:
        while self._pool is not None:
            await asyncio.sleep(WRITE_PRESENCE_EVERY_S)
            try:
                await self._write_presence_once(self._pool)
            except psycopg.Error as trouble:
                logger.warning("when sessions were last seen could not be written: %s", trouble)

    async def _write_presence_once(self, pool: timeouts.Pool) -> None:
        if seen := self._presence.take(time.monotonic()):
            async with pool.connection(timeout=PATIENCE_S) as database:
                with timeouts.watched(database):
                    await database.execute(last_seen.WRITE, [seen])


def is_ahead(moment: datetime) -> bool:
    return moment.timestamp() > time.time()


def banned(until: datetime) -> Refused:
    """With its end, if it has one."""
    return Refused("banned") if until.year == FOR_GOOD.year else Refused("banned", until=until.astimezone(UTC))


def _in_a_thread(ask: Callable[[Argument], Result], argument: Argument) -> Result:
    """The thread is anybody's next: it must not keep a connection."""
    try:
        return ask(argument)
    finally:
        connection.close()


directory = Directory()  # of this process
