"""Connections to PostgreSQL: values, replaced connections, and bounded waits."""

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

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


async def test_a_host_that_hangs_holds_no_other_one_up(conninfo: str, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as frozen:
        frozen.bind(str(tmp_path / ".s.PGSQL.5432"))
        frozen.listen()
        real: dict[str, Any] = {**conninfo_to_dict(conninfo)}
        hosts = make_conninfo(
            **{**real, "host": f"{tmp_path},{real['host']}", "port": f"5432,{real.get('port', 5432)}"}
        )
        pool = await connections.open_pool(hosts, 1)
        async with asyncio.timeout(connections.ACQUIRE_S):
            async with connections.connected(hosts) as connection:
                assert await connection.fetchval("SELECT 1") == 1
            async with connections.acquired(pool) as connection:
                assert await connection.fetchval("SELECT 1") == 1
        await connections.close_pool(pool)


async def test_only_a_host_of_the_wanted_kind_is_used(conninfo: str) -> None:
    with pytest.raises(asyncpg.TargetServerAttributeNotMatched):
        await connections.connect(make_conninfo(conninfo, target_session_attrs="standby"))
    await connections.close(await connections.connect(make_conninfo(conninfo, target_session_attrs="read-write")))
