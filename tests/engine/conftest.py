"""Engines on the tests' database, as many processes would have them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from games.engine.engine import Engine
from games.log import connections
from games.log.connections import Connection

MakeEngine = Callable[[str], Awaitable[Engine]]


@pytest.fixture
async def connection(owner_conninfo: str) -> AsyncIterator[Connection]:
    """For tests that damage what the engine has stored, which the engine's own role may not."""
    async with connections.connected(owner_conninfo) as connection:
        yield connection


@pytest.fixture
async def make_engine() -> AsyncIterator[MakeEngine]:
    async with AsyncExitStack() as stack:

        async def make(conninfo: str) -> Engine:
            engine = Engine(conninfo)
            await engine.open()
            stack.push_async_callback(engine.close)
            return engine

        yield make


@pytest.fixture
async def engine(make_engine: MakeEngine, conninfo: str) -> Engine:
    return await make_engine(conninfo)
