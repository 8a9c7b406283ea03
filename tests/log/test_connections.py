"""Connections to PostgreSQL: values, replaced connections, and bounded waits."""

import asyncio
import time

import asyncpg
import pytest

from games.log import connections
from games.log.connections import Connection
from games.rules.refused import Refused


async def test_json_comes_back_as_it_was_sent(connection: Connection) -> None:
    value = {"ü": [1, True, None, {"a": "\\ \" '"}]}
    assert await connection.fetchval("SELECT $1::jsonb", value) == value


async def test_a_query_that_fails_leaves_the_connection_usable(connection: Connection) -> None:
    with pytest.raises(asyncpg.DivisionByZeroError):
        await connection.fetch("SELECT 1 / $1::int", 0)
    assert await connection.fetchval("SELECT 1 / $1::int", 1) == 1


async def test_a_pool_replaces_a_connection_whose_backend_was_terminated(connection: Connection, conninfo: str) -> None:
    pool = await connections.open_pool(conninfo, 1)
    async with connections.acquired(pool) as pooled:
        first = pooled.get_server_pid()
    await connection.execute("SELECT pg_terminate_backend($1, 5000)", first)
    async with connections.acquired(pool) as pooled:
        assert await pooled.fetchval("SELECT pg_backend_pid()") != first
    await connections.close_pool(pool)


async def test_a_cancelled_caller_leaves_no_busy_connection_in_the_pool(conninfo: str) -> None:
    pool = await connections.open_pool(conninfo, 1)

    async def sleep() -> None:
        async with connections.acquired(pool) as pooled:
            await pooled.fetch("SELECT pg_sleep(30)")

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(sleep(), 0.1)
    async with connections.acquired(pool) as pooled:
        assert await pooled.fetchval("SELECT 1") == 1
    await connections.close_pool(pool)


async def test_a_query_that_takes_too_long_is_unavailable(conninfo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ANSWER_S", 0.2)
    pool = await connections.open_pool(conninfo, 1)
    began = time.monotonic()
    with pytest.raises(Refused, match="unavailable"):
        async with connections.acquired(pool) as pooled:
            await pooled.fetch("SELECT pg_sleep(30)")
    assert time.monotonic() - began < 5
    await connections.close_pool(pool)


async def test_a_released_connection_costs_no_round_trip_and_keeps_its_settings(conninfo: str) -> None:
    pool = await connections.open_pool(conninfo, 1)
    for _ in range(2):
        async with connections.acquired(pool) as pooled:
            assert await pooled.fetchval("SHOW plan_cache_mode") == "force_generic_plan"
    await connections.close_pool(pool)
