"""Fixtures for all tests: the database, connections to it, and a web process.

The store and the engine commit on their own connections, which Django's rolled back transaction cannot undo. A test
with `conninfo`, `connection` or `connect` therefore has a database that is emptied after it (`transactional_db`); a
test that only uses models may use `db`, which is faster.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import settings
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from games.runtime import conninfo as default_conninfo
from tests.database_flush import flush_by_deleting
from tests.server import service_role, web_process

# Applications of other processes: to import them here, in search of doctests, would change limits of this process.
collect_ignore = ["hostile/attacked_application.py", "http/failing_application.py", "http/impatient_application.py"]

__all__ = ["flush_by_deleting"]

# A test never depends on how busy the machine is.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

Connect = Callable[[], Awaitable[AsyncConnection[Any]]]


@pytest.fixture
def conninfo(transactional_db: None) -> str:
    """The address of the tests' database in libpq's form, with the role of the service."""
    return make_conninfo(default_conninfo(), user=service_role())


@pytest.fixture
def owner_conninfo(transactional_db: None) -> str:
    """The same for a role that may do everything."""
    return default_conninfo()


@pytest.fixture
async def connect(owner_conninfo: str) -> AsyncIterator[Connect]:
    """A function that opens a connection in autocommit; all are closed after the test."""
    async with AsyncExitStack() as stack:

        async def another() -> AsyncConnection[Any]:
            return await stack.enter_async_context(await AsyncConnection.connect(owner_conninfo, autocommit=True))

        yield another


@pytest.fixture
async def connection(connect: Connect) -> AsyncConnection[Any]:
    return await connect()


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[str]:
    """One web process for all tests; its cache stays valid, because deleted ids are never used again."""
    with web_process() as address:
        yield address
