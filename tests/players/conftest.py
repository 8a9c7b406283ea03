"""Players, their tokens and directories on the tests' database, as many processes would have them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

import httpx
import pytest
from django.db import connections
from psycopg import AsyncConnection

from players.sessions import sessions
from players.sessions.directory import Directory
from players.sessions.sessions import Opened
from tests.players.processes import Device
from tests.server import web_process

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
Result = TypeVar("Result")
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
            assert directory.is_live
            return directory

        yield make


@pytest.fixture
async def directory(make_directory: MakeDirectory) -> Directory:
    return await make_directory()


class Told:
    """What listeners of a directory are told, to be waited for."""

    def __init__(self, directory: Directory) -> None:
        self._sessions: asyncio.Queue[UUID] = asyncio.Queue()
        directory.listeners.append(self._sessions.put_nowait)

    async def next(self) -> UUID:
        return await asyncio.wait_for(self._sessions.get(), 1)


@pytest.fixture
def told(directory: Directory) -> Told:
    return Told(directory)


async def in_a_thread(function: Callable[..., Result], *args: Any, **named: Any) -> Result:
    """As DRF runs a view: the thread hands its connection back."""

    def run() -> Result:
        try:
            return function(*args, **named)
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)


async def until_heard(directory: Directory, epoch: int) -> None:
    """Something has changed since that epoch, and the directory knows."""
    async with asyncio.timeout(1):
        while directory._memory.epoch == epoch:  # noqa: ASYNC110  (memory is read by threads: it has no event)
            await asyncio.sleep(0)


async def terminate_listener(connection: AsyncConnection[Any]) -> None:
    """End the connections by which directories listen, as a restart of the database would."""
    listeners = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'qwixx players'"
    ended = await (await connection.execute(listeners)).fetchall()
    assert ended == [(True,)] * len(ended) != []


@pytest.fixture(scope="session")
def servers(django_db_setup: None) -> Iterator[tuple[str, str]]:
    """Two web processes behind a proxy, for all tests."""
    with web_process(NUM_PROXIES="1") as here, web_process(NUM_PROXIES="1") as there:
        yield here, there


@pytest.fixture
async def stranger(servers: tuple[str, str], transactional_db: None) -> AsyncIterator[Device]:
    async with httpx.AsyncClient(timeout=60) as http:
        yield Device(http, *servers)
