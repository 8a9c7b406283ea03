"""The sweeper: enforces deadlines when they pass, plays bots whose task was lost, and aborts abandoned games.

Any number of sweepers may work at once: each claims games that no other has claimed, and a command that is given twice
is stored once. Each looks a little ahead, so that a deadline between two sweeps need not wait for the next one.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from games.engine.engine import Engine
from games.game.events import stamp
from games.log.reads import due_games
from games.log.reads.due_games import Claimed
from games.metrics import shared_counters
from games.rules.refused import Refused
from games.timekeeping import deadlines
from games.timekeeping.bot_turns import play_bots

LOOKAHEAD = timedelta(seconds=1.25)  # a little longer than the second between two sweeps
STOP_CHECK_S = 0.1  # how soon a sweep under way notices that the process stops
BATCH = 250
MAX_BATCHES = 4  # of one sweep: the next sweep or another worker takes the rest
COMMIT_SIZE = 128  # deadlines enforced together: as many as one commit takes
MAX_CONCURRENT_SWEEPS = 2  # of one process: the next may begin before the last has ended
MISSED_AFTER_S = 1.25  # since the last sweep of any process
CHECK_EVERY_S = 0.25  # short enough, with the above, to enforce a deadline within 2 s
BOT_TASK_LOST_AFTER = timedelta(seconds=2)  # beyond its delay
ABANDONED_AFTER = timedelta(hours=24)

logger = logging.getLogger(__name__)


class Sweeper:
    """One per process, on the engine's loop."""

    def __init__(self, clock: Callable[[], datetime], bot_delay_s: float) -> None:
        self._clock = clock
        self._bots_late_after = timedelta(seconds=bot_delay_s) + BOT_TASK_LOST_AFTER
        self._under_way = 0
        self.is_stopping = False

    async def sweep(self, engine: Engine) -> None:
        """Handle everything that is due, and the deadlines of the next moment when they pass."""
        if self._under_way == MAX_CONCURRENT_SWEEPS or self.is_stopping:
            return None
        self._under_way += 1
        try:
            if not await engine.outage_monitor.has_right_clock():
                return logger.error("no sweep: the clock is wrong by %.1f s", engine.outage_monitor.clock_error_s)
            await engine.outage_monitor.beat(sweeps=True)
            await asyncio.gather(self._enforce_deadlines(engine, self._clock() + LOOKAHEAD), self._play_bots(engine))
        except Refused as refused:  # the next sweep is a second away
            logger.warning("the sweep failed: %s", refused.__cause__ or refused)
        finally:
            self._under_way -= 1

    async def sweep_when_none_has_swept(self, engine: Engine) -> None:
        """Until the process stops: sweep whenever no process has, since beat, Redis or the only worker may be down."""
        while not self.is_stopping:
            await asyncio.sleep(CHECK_EVERY_S)
            if engine.outage_monitor.unswept_s > MISSED_AFTER_S and await _was_missed(engine):
                await self.sweep(engine)

    async def abort_abandoned_games(self, engine: Engine) -> None:
        """Abort open games in which nothing has happened for a day."""
        since = self._clock() - ABANDONED_AFTER
        while not self.is_stopping:
            async with engine.claiming() as connection:
                games = await due_games.unstarted(connection, since, BATCH)
            steps = [deadlines.abort_if_abandoned(engine, game, since, self._clock()) for game in games]
            if await _run_all(games, steps) < BATCH:
                return

    async def _enforce_deadlines(self, engine: Engine, until: datetime, batches: int = MAX_BATCHES) -> None:
        """A full batch starts the next one beside it, so that later deadlines need not wait for its end."""
        others = None
        async with engine.claiming() as connection:
            claimed = await due_games.claim_deadlines(connection, until, BATCH)
        if len(claimed) == BATCH and batches > 1:
            others = asyncio.create_task(self._enforce_deadlines(engine, until, batches - 1))
        await engine.warm(game for game, _ in claimed)
        await self._enforce_when_due(engine, deque(claimed))
        if others:
            await others

    async def _enforce_when_due(self, engine: Engine, claimed: deque[Claimed]) -> None:
        """Enforce each deadline when it passes, and those that have passed together."""
        while claimed and not self.is_stopping:
            now = self._clock()
            wait_s = (claimed[0].ready_at - now).total_seconds()
            if wait_s > 0:
                await asyncio.sleep(min(wait_s, STOP_CHECK_S))
                continue
            ready: list[UUID] = []
            while claimed and claimed[0].ready_at <= now and len(ready) < COMMIT_SIZE:
                ready.append(claimed.popleft().game)
            async with engine.claiming() as connection:
                games = await due_games.still_due(connection, ready, now)
            steps = [deadlines.enforce(engine, game, stamp(deadline), now) for game, deadline in games]
            await _run_all([game for game, _ in games], steps)

    async def _play_bots(self, engine: Engine) -> None:
        """Play the bots of games that have waited for them longer than a task takes."""
        async with engine.claiming() as connection:
            games = await due_games.claim_bots(connection, self._clock() - self._bots_late_after, BATCH)
        for game in games:
            shared_counters.BOTS_LATE.count()
            await _run_all([game], [play_bots(engine, game, self._clock)])


async def _was_missed(engine: Engine) -> bool:
    """Ask the database: what this process knows may be a second old."""
    try:
        await engine.outage_monitor.beat()
    except Refused:  # without a database no process can sweep
        return False
    return engine.outage_monitor.unswept_s > MISSED_AFTER_S


async def _run_all(games: list[UUID], steps: list[Any]) -> int:
    """Run a step for each game and count successes; a failure is logged and left to the next sweep."""
    results = await asyncio.gather(*steps, return_exceptions=True)
    failed = [(game, result) for game, result in zip(games, results, strict=True) if isinstance(result, Exception)]
    for game, error in failed:
        logger.error("the sweep of game %s failed", game, exc_info=error)
    return len(games) - len(failed)
