"""Whether this process lives, and whether it can serve; both are asked often and by machines, and change nothing."""

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

PATIENCE = 2.0
RETRY_AFTER_S = 2
OK, UNREACHABLE = "ok", "unreachable"


async def healthz(_: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": OK})


async def readyz(request: HttpRequest) -> HttpResponse:
    migrations, broker = await asyncio.gather(verdict(migrated()), verdict(ping()))
    # Only a database that was reached can say something of its migrations.
    database, migrations = (UNREACHABLE, "unknown") if migrations == UNREACHABLE else (OK, migrations)
    parts = {"database": database, "migrations": migrations, "redis": broker}
    if set(parts.values()) == {OK}:
        return JsonResponse({"status": OK, **parts})
    return problems.answer(request, "unavailable", retry_after=RETRY_AFTER_S, **parts)


async def verdict(part: Awaitable[str]) -> str:
    """What the part says, or that it said nothing. Why, is for the part's own log: this answer is public."""
    try:
        return await asyncio.wait_for(part, PATIENCE)
    except (OSError, TimeoutError, psycopg.Error, redis.RedisError):
        return UNREACHABLE


async def migrated() -> str:
    """Asked on a connection of its own: a pool whose connections are all busy must not pass for a dead database."""
    wanted = await asyncio.to_thread(known_migrations)
    parameters = connection.get_connection_params()
    plain = {name: value for name, value in parameters.items() if name not in ("context", "cursor_factory")}
    async with await psycopg.AsyncConnection.connect(**plain, autocommit=True) as connected:
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
