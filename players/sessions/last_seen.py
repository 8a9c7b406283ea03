"""When sessions were last seen: recorded in memory during a request and written later, at most once a minute."""

import asyncio
import logging
import time
from uuid import UUID

import psycopg

from players.database import timeouts

INTERVAL_S = 60.0
WRITE_EVERY_S = 5.0
TIMEOUT_S = 2.0  # for a free connection

# Rows are locked in the order of their ids, and rows that another process is writing are skipped: processes never wait.
WRITE = """
UPDATE players_session SET last_seen_at = now()
 WHERE id IN (
           SELECT id FROM players_session
            WHERE id = ANY (%s) AND (last_seen_at IS NULL OR last_seen_at < now() - interval '55 seconds')
            ORDER BY id
              FOR NO KEY UPDATE SKIP LOCKED)
"""

logger = logging.getLogger(__name__)


class LastSeen:
    def __init__(self) -> None:
        self._next_write: dict[UUID, float] = {}
        self._unwritten: set[UUID] = set()

    def record(self, session: UUID, now: float) -> None:
        """Callable from any thread; an entry that a race between threads loses is recorded a minute later."""
        if now >= self._next_write.get(session, 0.0):
            self._next_write[session] = now + INTERVAL_S
            self._unwritten.add(session)

    async def write_repeatedly(self, pool: timeouts.Pool) -> None:
        while True:
            await asyncio.sleep(WRITE_EVERY_S)
            try:
                await self.write(pool)
            except psycopg.Error as error:
                logger.warning("the times at which sessions were last seen could not be written: %s", error)

    async def write(self, pool: timeouts.Pool) -> None:
        if sessions := self._take(time.monotonic()):
            async with pool.connection(timeout=TIMEOUT_S) as database:
                with timeouts.watched(database):
                    await database.execute(WRITE, [sessions])

    def _take(self, now: float) -> list[UUID]:
        """The sessions to write; sessions that have not been seen for a minute are dropped."""
        unwritten, self._unwritten = self._unwritten, set()
        self._next_write = {session: at for session, at in tuple(self._next_write.items()) if at > now}
        return list(unwritten)
