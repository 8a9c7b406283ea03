"""The connection by which a process hears that players or sessions have changed; what that means is known elsewhere.

It asks for a sign of life a few times a second. So `until` is a promise that needs no trust in the network: until then
nothing has been missed for as long as a second. When the line stays silent for longer, or this loop does, it lapses.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
from psycopg import AsyncConnection

CHANNEL = "players"
BEAT_S = 0.25
LEASE_S = 0.9  # the contract allows a revoked token one second
PATIENCE_S = 2.0
RETRY_S = 0.2

logger = logging.getLogger(__name__)


class ChangeListener:
    def __init__(
        self,
        heard: Callable[[str], None],
        opened: Callable[[AsyncConnection[Any]], Awaitable[None]],
        lost: Callable[[], None],
    ) -> None:
        self.until = 0.0
        self._heard, self._opened, self._lost = heard, opened, lost

    async def listen(self, conninfo: str) -> None:
        """Until cancelled; a line that is lost is dialled again."""
        while True:
            try:
                await self._listen(conninfo)
            except (psycopg.Error, OSError, TimeoutError) as trouble:
                logger.warning("changes of players are not heard, every request asks the database: %s", trouble)
            finally:
                self.until = 0.0
                self._lost()
            await asyncio.sleep(RETRY_S)

    async def _listen(self, conninfo: str) -> None:
        async with asyncio.timeout(PATIENCE_S):
            line = await AsyncConnection.connect(conninfo, autocommit=True, application_name="qwixx players")
        async with line:
            await self._beat(line, f"LISTEN {CHANNEL}")
            await self._opened(line)
            while True:
                async for note in line.notifies(timeout=BEAT_S):
                    self._heard(note.payload)
                await self._beat(line, "SELECT 1")

    async def _beat(self, line: AsyncConnection[Any], question: str) -> None:
        asked = time.monotonic()
        async with asyncio.timeout(PATIENCE_S):
            await line.execute(question)
        self.until = asked + LEASE_S
