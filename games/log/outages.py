"""The heartbeat of the service in the database, and the outages that its gaps show."""

import asyncio
import logging
import time

from games.game.decisions.expiry import OutagePeriod
from games.log import connections
from games.log.connections import Connection
from games.rules.refused import Refused

BEAT_EVERY_S = 1.0
BEAT_S = 4.0  # for one beat, with its connection
# An outage is a gap of over 5 s: a process that has written a heartbeat within this time knows every outage.
KNOWN_FOR_S = 3.0
BEAT = "SELECT unswept, outages FROM games_beat($1)"

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

    async def beat(self, *, sweeps: bool = False) -> None:
        """Record that this process is alive, and learn of outages. `sweeps`: it also sweeps deadlines now."""
        async with self._beating:
            began = time.time()
            try:
                async with asyncio.timeout(BEAT_S):
                    self._connection = self._connection or await connections.connect(self._conninfo)
                    unswept_s, outages = await self._connection.fetchrow(BEAT, sweeps)
            except BaseException as error:
                await self.close()
                if isinstance(error, connections.LOST):
                    raise Refused("unavailable") from error
                raise
            self._outages = tuple(OutagePeriod(*outage) for outage in outages or ())
            self._beaten, self._unswept_s = began, 0.0 if sweeps else unswept_s

    async def keep(self) -> None:
        """Beat every second until cancelled. While the database is unavailable, the gap is the outage."""
        while True:
            began = time.monotonic()
            try:
                await self.beat()
            except Refused as refused:
                logger.warning("no heartbeat could be recorded: %s", refused.__cause__ or refused)
            await asyncio.sleep(max(0.0, BEAT_EVERY_S - (time.monotonic() - began)))

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connections.close(connection)
