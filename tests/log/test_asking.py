"""Questions asked of the database without cursors: whatever happens on the way, the right one hears of it."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection

from games.log.prepared_query import fetch
from players.database import timeouts

SLEEP = b"SELECT pg_sleep(30)"
ASLEEP = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'"


async def test_values_come_back_as_they_went(connection: AsyncConnection[Any]) -> None:
    given = (UUID(int=7), 2**40, "ü \\ \" '", b"\x00\xff", True, datetime(2026, 1, 2, 3, 4, 5, 6, UTC), None)
    query = b"SELECT $1::uuid, $2::bigint, $3::text, $4::bytea, $5::boolean, $6::timestamptz, $7::int"
    for _ in range(2):  # prepared now, and known the second time
        assert await fetch(connection, query, given) == [given]
    assert await fetch(connection, b"SELECT unnest($1::uuid[])", ([UUID(int=1), UUID(int=2)],)) == [
        (UUID(int=1),),
        (UUID(int=2),),
    ]


async def test_what_is_larger_than_the_line_holds_is_sent_bit_by_bit(connection: AsyncConnection[Any]) -> None:
    large = bytes(range(256)) * 40_000
    assert await fetch(connection, b"SELECT length($1::bytea), $1::bytea", (large,)) == [(len(large), large)]


async def test_a_refused_question_leaves_the_line_as_it_was(connection: AsyncConnection[Any]) -> None:
    with pytest.raises(psycopg.errors.DivisionByZero):
        await fetch(connection, b"SELECT 1 / $1::int", (0,))
    with pytest.raises(psycopg.errors.UndefinedTable):
        await fetch(connection, b"SELECT * FROM no_such_table", ())
    assert await fetch(connection, b"SELECT 1 / $1::int", (1,)) == [(1,)]


async def test_a_line_that_breaks_is_told_to_whoever_waits(connection: AsyncConnection[Any]) -> None:
    asked = asyncio.create_task(fetch(connection, SLEEP, ()))
    async with await AsyncConnection.connect(connection.info.dsn, autocommit=True) as other:
        while not (await (await other.execute(ASLEEP, (connection.info.backend_pid,))).fetchone()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await other.execute("SELECT pg_terminate_backend(%s)", (connection.info.backend_pid,))
    with pytest.raises(psycopg.OperationalError):
        await asked
    assert connection.closed


async def test_one_who_goes_away_leaves_no_busy_line_to_others(conninfo: str) -> None:
    async with timeouts.pool(conninfo, least=1, most=1) as pool:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1), pool.connection() as line:
                await fetch(line, b"SELECT pg_sleep(0.5)", ())
        async with pool.connection() as line:
            assert await fetch(line, b"SELECT 1", ()) == [(1,)]
