"""`/healthz`: the process runs; `/readyz`: database, migrations and Redis are usable."""

import asyncio
from collections.abc import Awaitable
from functools import cache

import psycopg
import redis.asyncio
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, HttpResponse, JsonResponse

from qwixx_service.http import problems

TIMEOUT_S = 2.0
RETRY_AFTER_S = 2
OK, UNREACHABLE = "ok", "unreachable"


async def healthz(_: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": OK})


async def readyz(request: HttpRequest) -> HttpResponse:
    migrations, broker = await asyncio.gather(checked(migrated()), checked(ping()))
    # The state of the migrations is known only if the database was reached.
    database, migrations = (UNREACHABLE, "unknown") if migrations == UNREACHABLE else (OK, migrations)
    parts = {"database": database, "migrations": migrations, "redis": broker}
    if set(parts.values()) == {OK}:
        return JsonResponse({"status": OK, **parts})
    return problems.answer(request, "unavailable", retry_after=RETRY_AFTER_S, **parts)


async def checked(check: Awaitable[str]) -> str:
    """The result of a check; the reason of a failure stays in that server's log, because this response is public."""
    try:
        return await asyncio.wait_for(check, TIMEOUT_S)
    except (OSError, TimeoutError, psycopg.Error, redis.RedisError):
        return UNREACHABLE


async def migrated() -> str:
    """Use a new connection: a pool whose connections are all busy must not be taken for a dead database."""
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
