"""The database of the tests, for all of them.

Whatever goes through the store or the engine commits on connections of its own, which Django's rolled back transaction
cannot see or undo. A test that asks for `conninfo`, `connection` or `connect` therefore gets a database that is emptied
after it (`transactional_db`); a test that only uses models may ask for `db`, which is faster.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg import AsyncConnection
from psycopg.errors import DeadlockDetected

from games import store
from games.process import conninfo as default_conninfo
from tests.server import web_process

FLUSHES = 10

Connect = Callable[[], Awaitable[AsyncConnection[Any]]]


@pytest.fixture(autouse=True, scope="session")
def _log_is_emptied_too() -> Iterator[None]:
    """The log refuses the TRUNCATE by which Django empties tables after a test: the guard is lifted for it alone."""
    plain, execute = DatabaseOperations.sql_flush, DatabaseOperations.execute_sql_flush

    def sql_flush(self: DatabaseOperations, *args: Any, **options: Any) -> list[str]:
        table = "ALTER TABLE games_event"
        guard = "TRIGGER games_event_append_only"
        return [f"{table} DISABLE {guard}", *plain(self, *args, **options), f"{table} ENABLE {guard}"]

    def execute_sql_flush(self: DatabaseOperations, sql_list: list[str]) -> None:
        """Whoever still reads in the web process may stand in the way of it, and it in his: then it is tried again."""
        for tries_left in reversed(range(FLUSHES)):
            try:
                return execute(self, sql_list)
            except OperationalError as error:
                if not tries_left or not isinstance(error.__cause__, DeadlockDetected):
                    raise
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", sql_flush)
        patch.setattr(DatabaseOperations, "execute_sql_flush", execute_sql_flush)
        yield


@pytest.fixture
def conninfo(transactional_db: None) -> str:
    """Where the tests' database is, for connections that are made elsewhere."""
    return default_conninfo()


@pytest.fixture
async def connect(conninfo: str) -> AsyncIterator[Connect]:
    """Opens as many connections in autocommit as a test asks for."""
    async with AsyncExitStack() as stack:

        async def another() -> AsyncConnection[Any]:
            return await stack.enter_async_context(await store.connect(conninfo))

        yield another


@pytest.fixture
async def connection(connect: Connect) -> AsyncConnection[Any]:
    return await connect()


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[str]:
    """One web process for all tests; tables are emptied between them, and ids never come again."""
    with web_process() as address:
        yield address
