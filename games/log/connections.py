"""Connections of the engine to PostgreSQL through asyncpg, with every wait for the database bounded."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import asyncpg
import msgspec
from django.conf import settings

from games.log import host_attempts
from games.metrics import counters
from games.rules.refused import Refused

Connection: TypeAlias = Any  # asyncpg has no type hints
Pool: TypeAlias = Any

ACQUIRE_S = 3.0  # for a free connection of a pool, and for a new one
ANSWER_S = 5.0  # for the answer to one query
JSONB_VERSION = b"\x01"
# What is raised when the database cannot be reached, breaks off, takes too long, or cannot write. TimeoutError is an
# OSError. A server that has become read-only may have a successor, which is found by a new connection.
LOST = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a query on a connection whose end was announced and has not come yet
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InsufficientResourcesError,  # too many connections, no memory, a full disk
    asyncpg.PostgresSystemError,  # a disk that fails
    asyncpg.ReadOnlySQLTransactionError,
)
# Plans are kept as long as their connection: one made while the tables were small must not scan them when they have
# grown, and no plan is worth making again for the length of an array.
PLANS = {"enable_seqscan": "off", "plan_cache_mode": "force_generic_plan"}


def is_lost(error: BaseException) -> bool:
    """Arguments that cannot be encoded raise an InterfaceError that is a ValueError; the connection is not at fault."""
    return isinstance(error, LOST) and not isinstance(error, ValueError)


async def connect(conninfo: str) -> Connection:
    connection = await host_attempts.connect_to_any(conninfo, **_settings())
    await _use_json(connection)
    return connection


@contextlib.asynccontextmanager
async def connected(conninfo: str) -> AsyncIterator[Connection]:
    """One connection for the length of a block."""
    connection = await connect(conninfo)
    try:
        yield connection
    finally:
        await close(connection)


async def close(connection: Connection) -> None:
    """A server that does not answer is not waited for."""
    try:
        await connection.close(timeout=1.0)
    except LOST:
        connection.terminate()


async def open_pool(conninfo: str, size: int) -> Pool:
    """Connections made when they are needed; a broken one is replaced."""
    sizes = {"min_size": 0, "max_size": size}
    hooks = {"connect": host_attempts.connect_to_any, "init": _use_json, "reset": _keep_session}
    return await asyncpg.create_pool(conninfo, **sizes, **hooks, **_settings())


@contextlib.asynccontextmanager
async def acquired(pool: Pool) -> AsyncIterator[Connection]:
    """A connection of the pool. `unavailable`: there is none, it broke, or the database did not answer in time."""
    waiting = counters.POOL_WAIT.time()
    try:
        with waiting:
            connection = await pool.acquire(timeout=ACQUIRE_S)
        try:
            yield connection
        finally:
            await pool.release(connection)
    except LOST as error:
        if not is_lost(error):
            raise
        raise Refused("unavailable") from error


async def close_pool(pool: Pool) -> None:
    """Connections that do not close in time are cut."""
    try:
        async with asyncio.timeout(ANSWER_S):
            await pool.close()
    except LOST:
        pool.terminate()


def _settings() -> dict[str, Any]:
    bounds = {"timeout": ACQUIRE_S, "command_timeout": ANSWER_S}
    if settings.HAS_POOLER:  # a statement may be sent to another server than the one before: nothing is kept there
        return bounds | {"statement_cache_size": 0}
    # A statement is prepared once per connection.
    return bounds | {"max_cached_statement_lifetime": 0, "server_settings": PLANS}


async def _use_json(connection: Connection) -> None:
    """JSON as Python values. Composite types need the binary format, which starts with its version."""
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=_encoded_json, decoder=_decoded_json, format="binary"
    )


def _encoded_json(value: Any) -> bytes:
    return JSONB_VERSION + msgspec.json.encode(value)


def _decoded_json(data: bytes) -> Any:
    return msgspec.json.decode(data[1:])


async def _keep_session(_connection: Connection) -> None:
    """Queries of the engine change no setting, so that a released connection need not be reset in a round trip."""
