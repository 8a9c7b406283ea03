"""Whether this process lives, and whether it can serve; both are asked often and by machines, and change nothing."""

import asyncio
from collections.abc import Awaitable
from functools import cache

import psycopg
import redis.asyncio
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, JsonResponse

PATIENCE = 2.0
RETRY_AFTER = "2"


async def healthz(_: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


async def readyz(_: HttpRequest) -> JsonResponse:
    database, cache_ = await asyncio.gather(verdict(missing_migrations()), verdict(ping()))
    parts = {
        "database": database if isinstance(database, str) else "ok",
        "migrations": "unknown" if isinstance(database, str) else ("missing" if database else "ok"),
        "redis": cache_ if isinstance(cache_, str) else "ok",
    }
    if set(parts.values()) == {"ok"}:
        return JsonResponse({"status": "ok", **parts})
    return unavailable(parts)


def unavailable(parts: dict[str, str]) -> JsonResponse:
    """A problem as RFC 9457 has it, with the parts beside its own members."""
    problem = {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": ", ".join(f"{part}: {state}" for part, state in parts.items() if state != "ok"),
        "code": "unavailable",
    }
    return JsonResponse(
        problem | parts, status=503, content_type="application/problem+json", headers={"Retry-After": RETRY_AFTER}
    )


async def verdict(part: Awaitable[object]) -> object:
    """What the part says, or `unreachable`. Why, is for the logs of the part: this answer is public."""
    try:
        return await asyncio.wait_for(part, PATIENCE)
    except (OSError, TimeoutError, psycopg.Error, redis.RedisError):
        return "unreachable"


async def missing_migrations() -> frozenset[tuple[str, str]]:
    """Asked on a connection of its own: a pool whose connections are all busy must not pass for a dead database."""
    wanted = await asyncio.to_thread(known_migrations)
    parameters = connection.get_connection_params()
    plain = {name: value for name, value in parameters.items() if name not in ("context", "cursor_factory")}
    async with await psycopg.AsyncConnection.connect(**plain, autocommit=True) as connected:
        try:
            applied = await (await connected.execute("SELECT app, name FROM django_migrations")).fetchall()
        except psycopg.errors.UndefinedTable:
            return wanted
    return wanted - set(applied)


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


async def ping() -> None:
    async with redis.asyncio.from_url(settings.REDIS_URL) as client:
        await client.ping()
