"""`/healthz`: the process runs; `/readyz`: database, migrations and Redis are usable."""

import asyncio
from collections.abc import Awaitable
from functools import cache

import psycopg
import redis.asyncio
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from qwixx_service.http.problem_documents import problem_response

TIMEOUT_S = 2.0
RETRY_AFTER_S = 2
OK, UNREACHABLE = "ok", "unreachable"


class Healthz(HTTPEndpoint):
    async def get(self, _: Request) -> Response:
        return JSONResponse({"status": OK})


class Readyz(HTTPEndpoint):
    async def get(self, request: Request) -> Response:
        migrations, broker = await asyncio.gather(verdict(migrated()), verdict(ping()))
        # Only a database that was reached can say something of its migrations.
        database, migrations = (UNREACHABLE, "unknown") if migrations == UNREACHABLE else (OK, migrations)
        parts = {"database": database, "migrations": migrations, "redis": broker}
        if set(parts.values()) == {OK}:
            return JSONResponse({"status": OK, **parts})
        return problem_response(request, "unavailable", retry_after=RETRY_AFTER_S, **parts)


async def verdict(part: Awaitable[str]) -> str:
    """The result of a check, or that it failed; the reason is not shown, as this response is public."""
    try:
        return await asyncio.wait_for(part, TIMEOUT_S)
    except (OSError, TimeoutError, psycopg.Error, redis.RedisError):
        return UNREACHABLE


async def migrated() -> str:
    """Checked on a new connection: a pool whose connections are all busy is not a dead database."""
    wanted = await asyncio.to_thread(known_migrations)
    parameters = connection.get_connection_params()
    options = {name: value for name, value in parameters.items() if name not in ("context", "cursor_factory")}
    async with await psycopg.AsyncConnection.connect(**options, autocommit=True) as connected:
        try:
            applied = await (await connected.execute("SELECT app, name FROM django_migrations")).fetchall()
        except psycopg.errors.UndefinedTable:
            applied = []
    return "missing" if wanted - set(applied) else OK


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


async def ping() -> str:
    async with redis.asyncio.from_url(settings.REDIS_URL) as client:
        await client.ping()
    return OK
