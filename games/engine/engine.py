"""One engine per process: decides commands, appends, retries, exactly once. Knows neither HTTP nor any rule."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from typing import assert_never
from uuid import UUID

from games.engine.cache import CachedGame
from games.engine.keyed_lock import KeyedLock
from games.engine.nonces import nonce
from games.engine.reader import READERS, GameReader
from games.game.aggregate import GameState, fold
from games.game.decisions.draft import Draft, Moment
from games.game.dice import DiceSource
from games.game.events import Event
from games.game.values import Value
from games.log import connections, store
from games.log.connections import Connection, Pool
from games.log.group_commit import GroupCommit
from games.log.outages import OutageMonitor
from games.log.rows import Caller, next_rows
from games.metrics import command_log, counters
from games.rules.refused import Refused
from players.database.ids import uuid_of
from players.limits.fair_queue import Client, FairQueue
from players.telemetry import tracing

ATTEMPTS = 8  # how often a command is decided again because another process appended first
SUBMIT_S = 8.0  # for one command, with its wait for the game's lock
CLAIMERS = 2  # connections
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


Decide = Callable[[GameState, Moment], Draft]  # of a player: `decide_if_visible` of games/commands/context.py
Listener = Callable[[GameState, tuple[Event, ...]], None]


class Engine(GameReader):
    """Lives on one event loop; `games.runtime` gives each process its one engine and makes it reachable from threads.

    A command on a game in memory is one round trip to the database; on any other game it is two.
    """

    def __init__(
        self,
        conninfo: str,
        listeners: Iterable[Listener] = (),
        readers: int = READERS,
        claimers: int = CLAIMERS,
        replica: str = "",
    ) -> None:
        super().__init__(conninfo, readers, replica)
        self._claimers_size = claimers
        self.listeners = list(listeners)  # called after the commit, before the caller is answered
        # For clients who read logs, which may be long; the other readers stay free for actions and views.
        self.log_reads = FairQueue("logs", max(1, readers // 2))
        self.outage_monitor = OutageMonitor(conninfo)
        self._group_commit = GroupCommit(conninfo)
        self._locks = KeyedLock()
        self._claimers: Pool

    async def open(self) -> None:
        await super().open()
        # Apart from those of readers: claims must not wait for long reads.
        self._claimers = await connections.open_pool(self._conninfo, self._claimers_size)

    async def close(self) -> None:
        """Store what is under way, then disconnect."""
        await self._group_commit.close()
        await self.outage_monitor.close()
        await connections.close_pool(self._claimers)
        await super().close()

    async def submit(self, game_id: UUID, decide: Decide, now: datetime, caller: Caller = SERVICE) -> CommandResult:
        """Decide a command under the lock of its game, and store its events.

        If the game is in memory and not locked, the rows reach group commit before `submit` yields to the event loop.
        """
        noted = command_log.NotedCommand(game_id, caller.player, caller.key)
        with noted as line, tracing.span("engine.submit", game=str(game_id)):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SUBMIT_S), self._locks.holding(game_id.int):
                    known = self._cache.get(game_id)
                    is_fresh = known is None
                    for _ in range(ATTEMPTS):
                        known = known or await self._load(game_id)
                        outcome = await self._decide_and_append(known, decide, now, caller, is_fresh=is_fresh)
                        if isinstance(outcome, CommandResult):
                            line.stored(outcome.game.version, is_replay=outcome.is_replay)
                            return outcome
                        known, is_fresh = outcome, True
            raise Refused("unavailable")

    async def _decide_and_append(
        self, known: CachedGame, decide: Decide, now: datetime, caller: Caller, *, is_fresh: bool
    ) -> CommandResult | CachedGame | None:
        """The result; or the newer state on which `submit` decides again; or None, if it has to load that state first.

        A refusal, and a result that appends nothing, count only when they were decided on fresh state.
        """
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
        """Hand the rows of a draft to group commit, which calls `_publish` after the commit; act on the outcome."""
        events = draft.events()
        after = known.after(draft.result(events))
        rows = next_rows(known.game, after.game, events, caller, known.birth())
        with tracing.span("log.append", version=after.game.version):
            publish = tracing.carried(partial(self._publish, after, events))
            status, winners, receipt, error = await self._group_commit.append(rows, publish)
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
        """After the commit: keep the game in memory, then call the listeners, of which `Hub.publish` is the first.
        Their errors do not fail the command."""
        self._cache.put(after)
        with tracing.span("publish", version=after.game.version):
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
        with command_log.NotedCommand(game_id, caller.player, caller.key) as line:
            done = await self._create(game_id, decide, now, caller)
            if done is not None:
                line.stored(done.game.version, is_replay=done.is_replay)
            return done

    async def _create(
        self, game_id: UUID, decide: Callable[[Moment], Draft], now: datetime, caller: Caller
    ) -> CommandResult | None:
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
        async with self.log_reads.turn(Client("", str(caller.player))):
            game = await self.game_at(game_id, receipt.last_version)
            events = await self.log(game_id, before, receipt.last_version - before)
        async with self._reading() as connection:
            loaded = await store.load(connection, game_id)
        return CommandResult(game, loaded.code if loaded else "", tuple(events), is_replay=True)

    def claiming(self) -> AbstractAsyncContextManager[Connection]:
        """A connection on which a sweeper claims games."""
        return connections.acquired(self._claimers)
