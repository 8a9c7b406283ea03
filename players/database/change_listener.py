"""A LISTEN connection that receives a notification for every change of a player or a session.

It sends a query a few times a second. Until `live_until` no notification has been missed for more than a second; when
the connection or this event loop does not answer in time, `live_until` passes.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
from prometheus_client import Gauge
from psycopg import AsyncConnection

CHANNEL = "players"
HEARTBEAT_S = 0.25
LEASE_S = 0.9  # the contract allows a revoked token one second
TIMEOUT_S = 2.0
RECONNECT_AFTER_S = 0.2

LISTENING = Gauge(
    "qwixx_listening",
    "1 while notifications of revoked tokens and changed players arrive; at 0 every request queries the database.",
    multiprocess_mode="livemin",
)

logger = logging.getLogger(__name__)


class ChangeListener:
    def __init__(
        self,
        on_change: Callable[[str], None],
        on_connect: Callable[[AsyncConnection[Any]], Awaitable[None]],
        on_disconnect: Callable[[], None],
    ) -> None:
        self.live_until = 0.0
        self._on_change, self._on_connect, self._on_disconnect = on_change, on_connect, on_disconnect

    async def listen(self, conninfo: str) -> None:
        """Listen until cancelled; a lost connection is opened again."""
        while True:
            try:
                await self._listen(conninfo)
            except (psycopg.Error, OSError, TimeoutError) as error:
                logger.warning("no notifications of changed players, every request queries the database: %s", error)
            finally:
                self.live_until = 0.0
                LISTENING.set(0)
                self._on_disconnect()
            await asyncio.sleep(RECONNECT_AFTER_S)

    async def _listen(self, conninfo: str) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            connection = await AsyncConnection.connect(conninfo, autocommit=True, application_name="qwixx players")
        async with connection:
            await self._query(connection, f"LISTEN {CHANNEL}")
            await self._on_connect(connection)
            LISTENING.set(1)
            while True:
                async for notification in connection.notifies(timeout=HEARTBEAT_S):
                    self._on_change(notification.payload)
                await self._query(connection, "SELECT 1")

    async def _query(self, connection: AsyncConnection[Any], query: str) -> None:
        sent_at = time.monotonic()
        async with asyncio.timeout(TIMEOUT_S):
            await connection.execute(query)
        self.live_until = sent_at + LEASE_S
