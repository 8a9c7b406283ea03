"""The heartbeat of the service in the database, and the outages that its gaps show.

A beat is a committed write on a new page of the database: where no event could be appended, no process beats.
"""

import asyncio
import logging
import time
from collections.abc import Callable

import asyncpg

from games.game.decisions.expiry import OutagePeriod
from games.log import connections
from games.log.connections import Connection
from games.rules.refused import Refused

BEAT_EVERY_S = 1.0
BEAT_S = 4.0  # for one beat, with its connection
# An outage is a gap of over 5 s: a process that has written a heartbeat within this time knows every outage.
KNOWN_FOR_S = 3.0
MOST_CLOCK_ERROR_S = 1.0
BEAT = "SELECT unswept, outages, database_clock FROM games_beat_v2($1)"

logger = logging.getLogger(__name__)


class OutageMonitor:
    """Uses its own connection: a heartbeat that waits for a pooled one would look like an outage."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: Connection | None = None
        self._beating = asyncio.Lock()
        self._outages: tuple[OutagePeriod, ...] = ()
        self._beaten = float("-inf")
        self._unswept_s = 0.0
        self.clock_error_s = 0.0  # of this process, against the database's; by less than the time that a beat takes

    @property
    def unswept_s(self) -> float:
        """For how long deadlines have not been swept, as far as the last beat knows."""
        return self._unswept_s + max(0.0, time.time() - self._beaten)

    async def outages(self) -> tuple[OutagePeriod, ...]:
        """Every recent outage, read from the database where this process may have missed one.

        By the wall clock: the monotonic clock stops while a machine sleeps.
        """
        if not 0 <= time.time() - self._beaten < KNOWN_FOR_S:
            await self.beat()
        return self._outages

    async def has_right_clock(self) -> bool:
        """Whether this process may judge deadlines; with a wrong clock it leaves them to others."""
        await self.outages()  # beats, if the last beat was long ago by this clock
        return abs(self.clock_error_s) <= MOST_CLOCK_ERROR_S

    async def beat(self, *, sweeps: bool = False) -> None:
        """Record that this process is alive, and learn of outages. `sweeps`: it also sweeps deadlines now."""
        async with self._beating:
            began = time.time()
            try:
                async with asyncio.timeout(BEAT_S):
                    self._connection = self._connection or await connections.connect(self._conninfo)
                    unswept_s, outages, clock = await self._connection.fetchrow(BEAT, sweeps)
            except BaseException as error:
                await self.close()
                if connections.is_lost(error) or isinstance(error, asyncpg.PostgresError):
                    raise Refused("unavailable") from error
                raise
            self.clock_error_s = _outside(clock.timestamp(), began, time.time())
            self._outages = tuple(OutagePeriod(*outage) for outage in outages or ())
            self._beaten, self._unswept_s = began, 0.0 if sweeps else unswept_s

    async def keep(self, on_beat: Callable[[float], None] = lambda _error_s: None) -> None:
        """Beat every second until cancelled. While the database is unavailable, the gap is the outage. `on_beat` gets
        the error of this machine's clock."""
        while True:
            began = time.monotonic()
            try:
                await self.beat()
                on_beat(self.clock_error_s)
            except Refused as refused:
                logger.warning("no heartbeat could be recorded: %s", refused.__cause__ or refused)
            await asyncio.sleep(max(0.0, BEAT_EVERY_S - (time.monotonic() - began)))

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connections.close(connection)


def _outside(moment: float, began: float, ended: float) -> float:
    """How far a clock that showed these times before and after a moment is ahead of it; 0 if it may have been right.

    >>> _outside(5.0, 4.9, 5.1), _outside(5.0, 7.0, 7.5), _outside(5.0, 1.0, 2.0)
    (0.0, 2.0, -3.0)
    """
    return max(0.0, began - moment) or min(0.0, ended - moment)
