"""Fixtures: players with tokens, directories as of several processes, and two web processes."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

import httpx
import pytest
from django.db import connections
from psycopg import AsyncConnection

from players import extensions
from players.accounts import guests
from players.sessions import tokens
from players.sessions.directory import Directory
from players.sessions.lifecycle import NewSession
from tests.api.client import CHECKED
from tests.players.devices import Device
from tests.server import web_process

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
Result = TypeVar("Result")
MakeDirectory = Callable[[], Awaitable[Directory]]


def digest_of(token: str) -> bytes:
    return tokens.digest(token) or b""


@pytest.fixture
def ann(conninfo: str) -> NewSession:
    return guests.create_guest(NOW, "Ann", "Ann's phone")


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


class RevokedSessions:
    """The sessions with which a directory calls its listeners, in order."""

    def __init__(self, directory: Directory) -> None:
        self._sessions: asyncio.Queue[UUID] = asyncio.Queue()
        directory.revocation_listeners.append(self._sessions.put_nowait)

    async def next(self) -> UUID:
        return await asyncio.wait_for(self._sessions.get(), 1)


@pytest.fixture
def revoked(directory: Directory) -> RevokedSessions:
    return RevokedSessions(directory)


async def in_a_thread(function: Callable[..., Result], *args: Any, **named: Any) -> Result:
    """Run as DRF runs a view: in a thread that closes its connections."""

    def run() -> Result:
        try:
            return function(*args, **named)
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)


async def next_epoch(directory: Directory, epoch: int) -> None:
    """Wait until the directory has received a notification after this epoch."""
    async with asyncio.timeout(1):
        while directory.cache.epoch == epoch:  # noqa: ASYNC110  (threads use the cache, so it has no event)
            await asyncio.sleep(0)


async def terminate_listener(connection: AsyncConnection[Any]) -> None:
    """End the connections of all change listeners, as a restart of the database would."""
    listeners = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'qwixx players'"
    ended = await (await connection.execute(listeners)).fetchall()
    assert ended == [(True,)] * len(ended) != []


@pytest.fixture(scope="session")
def servers(django_db_setup: None) -> Iterator[tuple[str, str]]:
    """Two web processes behind a proxy, shared by all tests."""
    with web_process(NUM_PROXIES="1") as here, web_process(NUM_PROXIES="1") as there:
        yield here, there


@pytest.fixture
async def anonymous(servers: tuple[str, str], transactional_db: None) -> AsyncIterator[Device]:
    async with httpx.AsyncClient(timeout=60, event_hooks=CHECKED) as http:
        yield Device(http, *servers)


@pytest.fixture
def replace_extensions() -> Iterator[Callable[..., None]]:
    """Replaces some of the installed extensions until the end of the test."""
    installed = extensions.current()
    yield lambda **changes: extensions.install(dataclasses.replace(extensions.current(), **changes))
    extensions.install(installed)
