"""`/healthz`: the process runs; `/readyz`: this process can serve play now, by its own connections and threads.

Play needs PostgreSQL and not Redis: without Redis the process is degraded, and stays in service.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.db.migrations.loader import MigrationLoader
from redis.exceptions import OutOfMemoryError, RedisError
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from games import runtime
from games.engine.engine import Engine
from games.rules.refused import Refused
from players.limits.budgets import READINESS_EVERY_S, READINESS_TIMEOUT_S
from players.redis_servers.redis_clients import close_async, connect_async
from qwixx_service.http.middleware.problem_documents import problem_response

RETRY_AFTER_S = 2
OK, DEGRADED, UNREACHABLE, UNKNOWN = "ok", "degraded", "unreachable", "unknown"
OPTIONAL = "redis"  # the part without which play goes on
PROBE = "readiness"  # a key that is written to see whether Redis takes writes
PROBE_S = 10


class Healthz(HTTPEndpoint):
    async def get(self, _: Request) -> Response:
        return JSONResponse({"status": OK})


class Readyz(HTTPEndpoint):
    async def get(self, request: Request) -> Response:
        readiness: Readiness = request.app.state.readiness
        parts = await readiness.parts()
        if any(state != OK for name, state in parts.items() if name != OPTIONAL):
            return problem_response(request, "unavailable", retry_after=RETRY_AFTER_S, **parts)
        return JSONResponse({"status": OK if parts[OPTIONAL] == OK else DEGRADED, **parts})


class Readiness:
    """Checks at most once a second for all callers, with what the process itself serves from."""

    def __init__(
        self, has_free_thread: Callable[[], Awaitable[bool]], engine: Callable[[], Awaitable[Engine]] = runtime.engine
    ) -> None:
        self._has_free_thread, self._engine = has_free_thread, engine
        self._redis: Any = None
        self._check: asyncio.Task[dict[str, str]] | None = None
        self._checked_at = 0.0

    async def parts(self) -> dict[str, str]:
        """The state of each part; callers share a check that is under way or not older than a second."""
        now = asyncio.get_running_loop().time()
        if self._check is None or (self._check.done() and now - self._checked_at >= READINESS_EVERY_S):
            self._check, self._checked_at = asyncio.create_task(self._check_parts()), now
        return await asyncio.shield(self._check)

    async def _check_parts(self) -> dict[str, str]:
        migrations, (writes, clock), broker, threads = await asyncio.gather(
            self._migrations(), self._writes(), self._redis_takes_writes(), self._has_free_thread()
        )
        # Only a database that was reached can say something of its migrations.
        database, migrations = (UNREACHABLE, UNKNOWN) if migrations == UNREACHABLE else (OK, migrations)
        return {
            "database": database,
            "migrations": migrations,
            "writes": writes,
            "clock": clock,
            "threads": OK if threads else "busy",
            OPTIONAL: broker,
        }

    async def _migrations(self) -> str:
        """Read by one of the engine's readers. The reason of a failure is not shown: the response is public."""
        try:
            async with asyncio.timeout(READINESS_TIMEOUT_S):
                applied = await (await self._engine()).applied_migrations()
        except (OSError, Refused):
            return UNREACHABLE
        return "missing" if await asyncio.to_thread(known_migrations) - applied else OK

    async def _writes(self) -> tuple[str, str]:
        """A heartbeat is a write that needs what an append needs; it also compares the clocks."""
        monitor = (await self._engine()).outage_monitor
        try:
            async with asyncio.timeout(READINESS_TIMEOUT_S):
                is_right = await monitor.has_right_clock()
        except (OSError, Refused):
            return "refused", UNKNOWN
        return OK, OK if is_right else "wrong"

    async def _redis_takes_writes(self) -> str:
        if self._redis is None:
            self._redis = connect_async(settings.REDIS_URL, max_connections=4, socket_timeout=READINESS_TIMEOUT_S)
        try:
            async with asyncio.timeout(READINESS_TIMEOUT_S):
                await self._redis.set(PROBE, b"", ex=PROBE_S)
        except OutOfMemoryError:
            return "full"
        except (OSError, RedisError):
            return UNREACHABLE
        return OK

    async def close(self) -> None:
        if self._check is not None:
            await asyncio.gather(self._check, return_exceptions=True)
        if self._redis is not None:
            await close_async(self._redis)


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)
