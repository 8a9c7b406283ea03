"""Connections to PostgreSQL as the engine opens them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from games.log import connections
from games.log.connections import Connection

Connect = Callable[[], Awaitable[Connection]]


@pytest.fixture
async def connect(conninfo: str) -> AsyncIterator[Connect]:
    """A function that opens a connection for the test."""
    async with AsyncExitStack() as stack:

        async def another() -> Connection:
            return await stack.enter_async_context(connections.connected(conninfo))

        yield another


@pytest.fixture
async def connection(connect: Connect) -> Connection:
    return await connect()


@pytest.fixture
async def owner(owner_conninfo: str) -> AsyncIterator[Connection]:
    """A connection of a role that may do everything."""
    async with connections.connected(owner_conninfo) as connection:
        yield connection
