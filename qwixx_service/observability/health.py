"""`/healthz`: the process runs; `/readyz`: database, migrations and Redis are usable, and threads for REST are free."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import psycopg
import redis.asyncio
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from players.database.timeouts import watched
from players.limits.budgets import READINESS_EVERY_S, READINESS_TIMEOUT_S
from qwixx_service.http.middleware.problem_documents import problem_response

RETRY_AFTER_S = 2
OK, UNREACHABLE, BUSY = "ok", "unreachable", "busy"


class Healthz(HTTPEndpoint):
    async def get(self, _: Request) -> Response:
        return JSONResponse({"status": OK})


class Readyz(HTTPEndpoint):
    async def get(self, request: Request) -> Response:
        readiness: Readiness = request.app.state.readiness
        parts = await readiness.parts()
        if set(parts.values()) == {OK}:
            return JSONResponse({"status": OK, **parts})
        return problem_response(request, "unavailable", retry_after=RETRY_AFTER_S, **parts)


class Readiness:
    """Checks at most once a second for all callers, on one kept connection each to the database and to Redis."""

    def __init__(self, has_free_thread: Callable[[], Awaitable[bool]]) -> None:
        self._has_free_thread = has_free_thread
        self._database: psycopg.AsyncConnection[Any] | None = None
        self._redis: redis.asyncio.Redis | None = None
        self._check: asyncio.Task[dict[str, str]] | None = None
        self._checked_at = 0.0

    async def parts(self) -> dict[str, str]:
        """The state of each part; callers share a check that is under way or not older than a second."""
        now = asyncio.get_running_loop().time()
        if self._check is None or (self._check.done() and now - self._checked_at >= READINESS_EVERY_S):
            self._check, self._checked_at = asyncio.create_task(self._check_parts()), now
        return await asyncio.shield(self._check)

    async def _check_parts(self) -> dict[str, str]:
        migrations, broker, threads = await asyncio.gather(
            self._migrations(), self._redis_answers(), self._has_free_thread()
        )
        # Only a database that was reached can say something of its migrations.
        database, migrations = (UNREACHABLE, "unknown") if migrations == UNREACHABLE else (OK, migrations)
        return {"database": database, "migrations": migrations, "redis": broker, "threads": OK if threads else BUSY}

    async def _migrations(self) -> str:
        """The reason of a failure is not shown, as this response is public."""
        if self._database is not None:
            with contextlib.suppress(OSError, psycopg.Error):
                return await self._migrations_on(self._database)
            await self._database.close()  # broken since the last check: the server may be back
            self._database = None
        try:
            self._database = await connected()
            return await self._migrations_on(self._database)
        except (OSError, TimeoutError, psycopg.Error):
            return UNREACHABLE

    async def _migrations_on(self, database: psycopg.AsyncConnection[Any]) -> str:
        with watched(database, READINESS_TIMEOUT_S):
            return await migrated(database)

    async def _redis_answers(self) -> str:
        if self._redis is None:
            self._redis = redis.asyncio.from_url(
                settings.REDIS_URL, max_connections=1, socket_timeout=READINESS_TIMEOUT_S
            )
        try:
            async with asyncio.timeout(READINESS_TIMEOUT_S):
                await self._redis.ping()
        except (OSError, TimeoutError, redis.RedisError):
            return UNREACHABLE
        return OK

    async def close(self) -> None:
        if self._check is not None:
            await asyncio.gather(self._check, return_exceptions=True)
        if self._database is not None:
            await self._database.close()
        if self._redis is not None:
            await self._redis.aclose()


async def connected() -> psycopg.AsyncConnection[Any]:
    """A connection of its own: a pool whose connections are all busy is not a dead database."""
    parameters = connection.get_connection_params()
    options = {name: value for name, value in parameters.items() if name not in ("context", "cursor_factory")}
    async with asyncio.timeout(READINESS_TIMEOUT_S):
        return await psycopg.AsyncConnection.connect(**options, autocommit=True)


async def migrated(database: psycopg.AsyncConnection[Any]) -> str:
    wanted = await asyncio.to_thread(known_migrations)
    try:
        applied = await (await database.execute("SELECT app, name FROM django_migrations")).fetchall()
    except psycopg.errors.UndefinedTable:
        applied = []
    return "missing" if wanted - set(applied) else OK


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)
