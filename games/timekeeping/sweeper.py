"""Sees to it that no game hangs: deadlines are enforced at their moment, lost bots played, deserted tables cleared.

Any number of sweepers may work at once: each claims games that no other has claimed, and what is done twice is stored
once. Each looks a little ahead, so that what falls due between two sweeps need not wait for the next.
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
from games.log import due_games
from games.log.connections import Connection
from games.log.due_games import Due
from games.metrics import shared_counters
from games.rules.refused import Refused
from games.timekeeping import deadlines
from games.timekeeping.bot_turns import play_bots

AHEAD = timedelta(seconds=1.25)  # a little longer than to the next sweep, which beat asks for every second
NAP_S = 0.1  # how long a sweep under way takes to hear that it shall end
BATCH = 250
MOST_BATCHES = 4  # of one sweep: the rest is the next one's, or another worker's
TOGETHER = 128  # as many as one commit takes
AT_ONCE = 2  # sweeps of one process: the next begins before the last has ended
SKIPPED_AFTER_S = 1.25  # when a sweep that did not come is made up for
LOOKED_FOR_EVERY_S = 0.25  # with the above, soon enough for a deadline to pass within 2 s
LOST = timedelta(seconds=2)  # how long after its delay a bot's task is held for lost
ABANDONED = timedelta(hours=24)

logger = logging.getLogger(__name__)


class Sweeper:
    """One per process, on the engine's loop."""

    def __init__(self, clock: Callable[[], datetime], bot_delay_s: float) -> None:
        self._clock = clock
        self._patience = timedelta(seconds=bot_delay_s) + LOST
        self._under_way = 0
        self.is_ending = False

    async def sweep(self, engine: Engine) -> None:
        """One look at everything, and at deadlines until a moment from now."""
        if self._under_way == AT_ONCE or self.is_ending:
            return
        self._under_way += 1
        try:
            await engine.outage_monitor.beat(sweeps=True)
            await asyncio.gather(self._deadlines(engine, self._clock() + AHEAD), self._bots(engine))
        except Refused as error:  # the next sweep is a second away
            logger.warning("deadlines wait: %s", error.__cause__ or error)
        finally:
            self._under_way -= 1

    async def make_up(self, engine: Engine) -> None:
        """Sweep by ourselves whenever nobody else did: beat may be down, or Redis, or the only worker."""
        while not self.is_ending:
            await asyncio.sleep(LOOKED_FOR_EVERY_S)
            if engine.outage_monitor.unswept_s > SKIPPED_AFTER_S and await _was_skipped(engine):
                await self.sweep(engine)

    async def clear_tables(self, engine: Engine) -> None:
        """Open games in which nothing happened for a day are aborted."""
        since = self._clock() - ABANDONED
        while not self.is_ending:
            async with engine.claiming() as connection:
                games = await due_games.unstarted(connection, since, BATCH)
            steps = [deadlines.abandon(engine, game, since, self._clock()) for game in games]
            if await _done(games, steps) < BATCH:
                return

    async def _deadlines(self, engine: Engine, until: datetime, batches: int = MOST_BATCHES) -> None:
        """A batch, and the next beside it: what is due at the end of the first must not wait until it is through."""
        others = None
        async with engine.claiming() as connection, connection.transaction():
            claimed = await due_games.claim_deadlines(connection, until, BATCH)
            if len(claimed) == BATCH and batches > 1:
                others = asyncio.create_task(self._deadlines(engine, until, batches - 1))
            await engine.warm(game for game, _ in claimed)
            await self._at_their_moment(engine, connection, deque(claimed))
        if others:
            await others

    async def _at_their_moment(self, engine: Engine, connection: Connection, claimed: deque[Due]) -> None:
        """Enforce each when it is due, those due together in one go."""
        while claimed and not self.is_ending:
            now = self._clock()
            wait_s = (claimed[0].deadline - now).total_seconds()
            if wait_s > 0:
                await asyncio.sleep(min(wait_s, NAP_S))
                continue
            ready: list[UUID] = []
            while claimed and claimed[0].deadline <= now and len(ready) < TOGETHER:
                ready.append(claimed.popleft().game)
            games = await due_games.still_due(connection, ready, now)
            steps = [deadlines.enforce(engine, game, stamp(deadline), now) for game, deadline in games]
            await _done([game for game, _ in games], steps)

    async def _bots(self, engine: Engine) -> None:
        """Bots whose task was lost on its way."""
        async with engine.claiming() as connection, connection.transaction():
            games = await due_games.claim_bots(connection, self._clock() - self._patience, BATCH)
            for game in games:
                shared_counters.BOTS_LATE.count()
                await _done([game], [play_bots(engine, game, self._clock)])


async def _was_skipped(engine: Engine) -> bool:
    """What is known here may be a second old."""
    try:
        await engine.outage_monitor.beat()
    except Refused:  # no pulse, as the log says: nobody can sweep
        return False
    return engine.outage_monitor.unswept_s > SKIPPED_AFTER_S


async def _done(games: list[UUID], steps: list[Any]) -> int:
    """Take the steps; one that fails is logged, fails alone, and is tried again by the next sweep."""
    results = await asyncio.gather(*steps, return_exceptions=True)
    failed = [(game, result) for game, result in zip(games, results, strict=True) if isinstance(result, Exception)]
    for game, error in failed:
        logger.error("game %s could not be seen to", game, exc_info=error)
    return len(games) - len(failed)
