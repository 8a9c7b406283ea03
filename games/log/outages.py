"""The pulse of the service: kept every second by every live process, so that a gap in it is a time when nobody served.

Knows which outages there were; what a game is owed for them is not known here.
"""

import asyncio
import logging
import time
from typing import Any

import psycopg
from psycopg import AsyncConnection

from games.game.play import Outage
from games.log import store
from games.log.prepared_query import fetch

BEAT_S = 1.0
PATIENCE_S = 4.0
# An outage is a gap of over 5 s. Whoever has beaten the pulse within this time knows of every outage there was.
KNOWN_FOR_S = 3.0
BEAT = b"SELECT unswept, outages FROM games_beat($1)"

logger = logging.getLogger(__name__)


class OutageMonitor:
    """Lives on the engine's loop, with a connection of its own: a pulse that had to wait its turn would be a gap."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: AsyncConnection[Any] | None = None
        self._beating = asyncio.Lock()
        self._outages: tuple[Outage, ...] = ()
        self._beaten = float("-inf")
        self._unswept_s = 0.0

    @property
    def unswept_s(self) -> float:
        """For how long nobody has looked through deadlines, as far as is known here: whoever wants it newer beats."""
        return self._unswept_s + max(0.0, time.time() - self._beaten)

    async def outages(self) -> tuple[Outage, ...]:
        """Every outage of late; asked of the database where this process cannot know that there was none since.

        By the wall's clock: the other one stands still while a machine sleeps.
        """
        if not 0 <= time.time() - self._beaten < KNOWN_FOR_S:
            await self.beat()
        return self._outages

    async def beat(self, *, sweeps: bool = False) -> None:
        """Say that we live, and learn of outages. `sweeps`: and that deadlines are being looked through."""
        async with self._beating:
            began = time.time()
            try:
                async with asyncio.timeout(PATIENCE_S):
                    self._connection = self._connection or await store.connect(self._conninfo)
                    ((unswept_s, outages),) = await fetch(self._connection, BEAT, (sweeps,))
            except BaseException:
                await self._hang_up()
                raise
            self._outages = tuple(Outage(*outage) for outage in outages or ())
            self._beaten, self._unswept_s = began, 0.0 if sweeps else unswept_s

    async def keep(self) -> None:
        """Every second, for as long as the process lives. While the database is away there is none to keep."""
        while True:
            began = time.monotonic()
            try:
                await self.beat()
            except (psycopg.Error, OSError) as error:  # TimeoutError is an OSError
                logger.warning("no pulse: %s", error or type(error).__name__)
            await asyncio.sleep(max(0.0, BEAT_S - (time.monotonic() - began)))

    async def close(self) -> None:
        await self._hang_up()

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
