"""The database of the tests, for all of them.

Whatever goes through the store or the engine commits on connections of its own, which Django's rolled back transaction
cannot see or undo. A test that asks for `conninfo`, `connection` or `connect` therefore gets a database that is emptied
after it (`transactional_db`); a test that only uses models may ask for `db`, which is faster.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from psycopg import AsyncConnection

from games.runtime import conninfo as default_conninfo
from tests.emptying import emptied_by_deleting
from tests.server import web_process

__all__ = ["emptied_by_deleting"]

Connect = Callable[[], Awaitable[AsyncConnection[Any]]]


@pytest.fixture
def conninfo(transactional_db: None) -> str:
    """Where the tests' database is, for connections that are made elsewhere."""
    return default_conninfo()


@pytest.fixture
async def connect(conninfo: str) -> AsyncIterator[Connect]:
    """Opens as many connections in autocommit as a test asks for."""
    async with AsyncExitStack() as stack:

        async def another() -> AsyncConnection[Any]:
            return await stack.enter_async_context(await AsyncConnection.connect(conninfo, autocommit=True))

        yield another


@pytest.fixture
async def connection(connect: Connect) -> AsyncConnection[Any]:
    return await connect()


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[str]:
    """One web process for all tests; tables are emptied between them, and ids never come again."""
    with web_process() as address:
        yield address
