"""Players, their tokens and directories on the tests' database, as many processes would have them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import pytest

from players import sessions
from players.directory import Directory
from players.sessions import Opened

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
MakeDirectory = Callable[[], Awaitable[Directory]]


@pytest.fixture
def ann(conninfo: str) -> Opened:
    return sessions.make_guest(NOW, "Ann", "Ann's phone")


@pytest.fixture
async def make_directory(conninfo: str) -> AsyncIterator[MakeDirectory]:
    async with AsyncExitStack() as stack:

        async def make() -> Directory:
            directory = Directory()
            stack.push_async_callback(directory.stop)
            await directory.start(conninfo)
            return directory

        yield make


@pytest.fixture
async def directory(make_directory: MakeDirectory) -> Directory:
    return await make_directory()
