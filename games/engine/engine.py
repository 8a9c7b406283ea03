"""One per process: games in memory, decide, append, retry, exactly once. Knows neither HTTP nor any rule.

A warm command is one round trip to the database, a cold one two: state is remembered, never read back.
"""

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection

from games.engine.keyed_lock import KeyedLock
from games.game.aggregate import Game, fold
from games.game.dice import DiceSource
from games.game.draft import Draft, Moment
from games.game.events import Event
from games.game.values import Value
from games.log import store
from games.log.group_commit import OUTCOME_S, Writer
from games.log.nonces import nonce
from games.log.outages import OutageMonitor
from games.log.rows import CachedGame, Caller, game_of, next_rows
from games.metrics import counters
from games.rules.refused import Refused
from players.database import timeouts
from players.database.ids import uuid_of

ATTEMPTS = 8  # how often a command is decided again because another process was faster
GAMES_IN_MEMORY = 4096
WARMED_AT_ONCE = 100
REFUSALS = {"missing": "not_found", "revoked": "not_authenticated"}
CODE_LENGTH = 6
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that looks like another

logger = logging.getLogger(__name__)


class CommandResult(Value, frozen=True):
    """What a command did: the game after it, and the events it appended, now or when its key was first used."""

    game: Game
    code: str
    events: tuple[Event, ...] = ()
    is_replay: bool = False


Decide = Callable[[Game, Moment], Draft]
# What came of it: done, not done and why, or a way to find out; None: it has to be submitted.
Came = CommandResult | Exception | Coroutine[Any, Any, CommandResult] | None
Then = Callable[[Came], None]
Stored = asyncio.Future[store.Outcome]
Listener = Callable[[Game, tuple[Event, ...]], None]


class Engine:
    """Lives on one event loop; `games.runtime` gives each process its one engine and lets other threads reach it."""

    def __init__(self, conninfo: str) -> None:
        self.listeners: list[Listener] = []  # told after the commit, never before
        self._reads = timeouts.pool(conninfo, least=0, most=8, begin=store.keep_plans)
        # Held for as long as a claim lasts: taken from the others, they would keep whoever works on it waiting.
        self._claims = timeouts.pool(conninfo, least=0, most=16)
        self._writer = Writer(conninfo)
        self.outage_monitor = OutageMonitor(conninfo)
        self._games: OrderedDict[int, CachedGame] = OrderedDict()  # by the number that an id is: it is found fastest
        self._locks = KeyedLock()

    async def open(self) -> None:
        await self._reads.open()
        await self._claims.open()

    async def close(self) -> None:
        """Let what is under way be stored, then hang up."""
        await self._writer.close()
        await self.outage_monitor.close()
        await self._claims.close()
        await self._reads.close()

    async def submit(self, game_id: UUID, decide: Decide, now: datetime, caller: Caller = Caller()) -> CommandResult:  # noqa: B008
        """Decide a command and store what follows. A refusal is only ever given on the newest state."""
        key = game_id.int
        if not self._locks.try_acquire(key):
            await self._take_turn(key)
        try:
            known = self._recall(game_id)
            is_fresh = known is None
            for _ in range(ATTEMPTS):
                known = known or await self._load(game_id)
                outcome: CommandResult | CachedGame | None  # None: it has to be read first
                try:
                    draft = decide(known.game, known.moment(now))
                except Refused:
                    outcome = await self.earlier(caller)
                    if outcome is None and is_fresh:
                        counters.refused()
                        raise
                else:
                    if draft.facts:
                        outcome = await self._append(known, draft, caller)
                    else:
                        outcome = await self._changed_nothing(known, caller, is_fresh=is_fresh)
                if isinstance(outcome, CommandResult):
                    return outcome
                known, is_fresh = outcome, True
        finally:
            self._locks.release(key)
        raise Refused("unavailable")

    def begin(self, game_id: UUID, decide: Decide, now: datetime, caller: Caller, then: Then) -> bool:
        """The first try of `submit`, without a coroutine: for a game that is in memory and whose turn it is, which is
        nearly every move. False: nothing has been done, and `then` is not called."""
        key, known = game_id.int, self._recall(game_id)
        if known is None or not self._locks.try_acquire(key):
            return False
        try:
            draft = decide(known.game, known.moment(now))
            if draft.facts:
                after, events, stored = self._put(known, draft, caller)
                done = CommandResult(after.game, after.code, events)
                stored.add_done_callback(lambda outcome: self._settle(known, done, caller, then, outcome.result()))
                return True
        except Exception:  # noqa: BLE001, S110  (perhaps only on what this process remembers: `submit` looks again, and says it)
            pass
        self._locks.release(key)
        return False

    def _settle(
        self, known: CachedGame, done: CommandResult, caller: Caller, then: Then, outcome: store.Outcome
    ) -> None:
        self._locks.release(uuid_of(known.game.id).int)
        if outcome is store.OK:
            return then(done)
        if outcome.status == "duplicate" and outcome.receipt:
            return then(self._replay(outcome.receipt, caller))
        if outcome.status == "conflict" and outcome.events:
            self._remember(known.after(fold(known.game, outcome.events)))
        return then(Refused(REFUSALS[outcome.status]) if outcome.status in REFUSALS else outcome.error)

    async def _take_turn(self, key: int) -> None:
        try:
            await self._locks.acquire(key, OUTCOME_S)
        except TimeoutError:
            raise Refused("unavailable") from None

    async def create(
        self, game_id: UUID, decide: Callable[[Moment], Draft], now: datetime, caller: Caller
    ) -> CommandResult | None:
        """Decide and store a game's first events, under secrets and a code drawn here. None: it is there already."""
        secret, bot_secret = secrets.token_bytes(32), secrets.token_bytes(32)
        draft = decide(Moment(now, DiceSource(secret, str(game_id)), nonce()))
        for _ in range(ATTEMPTS):
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            outcome = await self._append(CachedGame(draft.before, secret, bot_secret, code), draft, caller)
            if outcome is not None:
                return outcome if isinstance(outcome, CommandResult) else None
        raise Refused("unavailable")

    def _recall(self, game_id: UUID) -> CachedGame | None:
        known = self._games.get(game_id.int)
        if known is not None:
            self._games.move_to_end(game_id.int)
        return known

    def _remember(self, known: CachedGame) -> CachedGame:
        self._games[uuid_of(known.game.id).int] = known
        if len(self._games) > GAMES_IN_MEMORY:
            self._games.popitem(last=False)
        return known

    def forget(self, game_id: UUID) -> None:
        """As if this process had never seen the game."""
        self._games.pop(game_id.int, None)

    async def read(self, game_id: UUID) -> CachedGame:
        """The game as it is stored now, whichever process wrote it last."""
        known = self._recall(game_id)
        if known is not None:
            async with self._reads.connection() as connection:
                if await store.version(connection, game_id) == known.game.version:
                    return known
        return await self._load(game_id)

    def claiming(self) -> AbstractAsyncContextManager[AsyncConnection[Any]]:
        """A connection to find and claim games with that somebody has to see to."""
        return self._claims.connection()

    async def warm(self, games: Iterable[UUID]) -> None:
        """Learn of games that will be asked for soon, many at a time."""
        unknown = [game_id for game_id in games if game_id.int not in self._games]
        for start in range(0, len(unknown), WARMED_AT_ONCE):
            async with self._reads.connection() as connection:
                tips = await store.load_many(connection, unknown[start : start + WARMED_AT_ONCE])
            for game_id, tip in tips.items():
                with contextlib.suppress(Exception):  # told to whoever asks for that game, and to nobody else
                    game = game_of(tip)
                    if game is not None and game_id.int not in self._games:
                        self._remember(CachedGame(game, tip.secret, tip.bot_secret, tip.code))

    async def log(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Event]:
        async with self._reads.connection() as connection:
            return await store.events_after(connection, game_id, after, limit)

    async def versions(self, games: list[UUID]) -> dict[UUID, int]:
        """Where the logs of these games end."""
        async with self._reads.connection() as connection:
            return await store.versions(connection, games) if games else {}

    async def playing(self, players: list[UUID]) -> list[tuple[UUID, UUID, bool]]:
        """The games under way of these players: player, game, and whether it waits for him."""
        async with self._reads.connection() as connection:
            return await store.playing(connection, players)

    async def by_code(self, code: str) -> UUID | None:
        async with self._reads.connection() as connection:
            return await store.game_with_code(connection, code)

    async def _load(self, game_id: UUID) -> CachedGame:
        async with self._reads.connection() as connection:
            tip = await store.load(connection, game_id)
            if tip is None:
                raise Refused("not_found")
            game = game_of(tip)
            if game is None:
                game = fold(None, await store.events_after(connection, game_id, 0, tip.version))
        return self._remember(CachedGame(game, tip.secret, tip.bot_secret, tip.code))

    async def _changed_nothing(self, known: CachedGame, caller: Caller, *, is_fresh: bool) -> CommandResult | None:
        """A success that appends nothing is kept, too: its key must not do something later. None: decide again."""
        earlier = await self.earlier(caller)
        if earlier is not None or not is_fresh:
            return earlier
        receipt = caller.receipt()
        if receipt is not None:
            async with self._reads.connection() as connection:
                if not await store.note(connection, uuid_of(known.game.id), known.game.version, receipt):
                    return None
        return CommandResult(known.game, known.code)

    async def _append(self, known: CachedGame, draft: Draft, caller: Caller) -> CommandResult | CachedGame | None:
        """What came of it, or the newer state on which to try again; None: it has to be read first."""
        after, events, stored = self._put(known, draft, caller)
        outcome = await stored
        if outcome is store.OK:
            return CommandResult(after.game, after.code, events)
        match outcome.status:
            case "conflict" if known.game.version == 0:
                return await self._load(uuid_of(known.game.id))
            case "conflict" if outcome.events:
                return self._remember(known.after(fold(known.game, outcome.events)))
            case "duplicate" if outcome.receipt:
                return await self._replay(outcome.receipt, caller)
            case "failed" if outcome.error:
                raise outcome.error
        if outcome.status in REFUSALS:
            raise Refused(REFUSALS[outcome.status])
        return None

    def _put(self, known: CachedGame, draft: Draft, caller: Caller) -> tuple[CachedGame, tuple[Event, ...], Stored]:
        """What the draft makes of the game, on its way to be stored."""
        events = draft.events()
        after = known.after(draft.result(events))
        rows = next_rows(known, after, events, caller)
        return after, events, self._writer.append(rows, partial(self._committed, after, events))

    def _committed(self, after: CachedGame, events: tuple[Event, ...]) -> None:
        self._remember(after)
        for listener in self.listeners:
            try:
                listener(after.game, events)
            except Exception:  # what is stored is stored: a listener's trouble is not the player's
                logger.exception("a listener failed on game %s at version %s", after.game.id, after.game.version)

    async def earlier(self, caller: Caller) -> CommandResult | None:
        """What the same key has done before."""
        receipt = caller.receipt()
        if receipt is None:
            return None
        async with self._reads.connection() as connection:
            stored = await store.receipt(connection, receipt.player, receipt.key)
        if stored is None:
            return None
        done = await self._replay(stored, caller)
        counters.repeated()
        return done

    async def _replay(self, receipt: store.StoredReceipt, caller: Caller) -> CommandResult:
        """The answer that was given then, from the log."""
        if receipt.fingerprint != caller.fingerprint:
            raise Refused("idempotency_key_reused")
        async with self._reads.connection() as connection:
            events = await store.events_after(connection, receipt.game, 0, receipt.last_version)
            tip = await store.load(connection, receipt.game)
        code = tip.code if tip else ""
        return CommandResult(fold(None, events), code, tuple(events[receipt.first_version - 1 :]), is_replay=True)
