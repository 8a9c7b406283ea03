"""Players with sockets on a real server."""

import socket
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from django.conf import settings

from qwixx_service.embedded import data_folder, services, valkey
from qwixx_service.embedded.server_process import Server
from tests.api.client import Json, Player
from tests.api.conftest import NewPlayer, ann, bob, new_player
from tests.server import web_process
from tests.streams.client import Socket, watch
from tests.streams.proxy import Proxy

__all__ = ["ann", "bob", "new_player"]

Watch = Callable[..., Awaitable[Socket]]
Open = Callable[..., Awaitable[Socket]]


@pytest.fixture
async def sockets() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
def watching(sockets: AsyncExitStack) -> Watch:
    async def opened(player: Player, game: Json, **options: Any) -> Socket:
        return await sockets.enter_async_context(await watch(player, game, **options))

    return opened


@pytest.fixture
def opening(server: str, sockets: AsyncExitStack) -> Open:
    async def opened(path: str, token: str | None = None, **options: Any) -> Socket:
        address = options.pop("address", server)
        return await sockets.enter_async_context(await Socket.open(address, path, token, **options))

    return opened


@pytest.fixture
async def cid(new_player: NewPlayer) -> Player:
    return await new_player("Cid")


class Processes(NamedTuple):
    """Two web processes on one database, and where they expect Redis."""

    addresses: list[str]
    redis: list[socket.socket]


class ProxiedPair:
    """The same, with a proxy between each process and Redis."""

    def __init__(self, addresses: list[str], lines: list[Proxy]) -> None:
        self.addresses, self.lines = addresses, lines

    def turn_to(self, other: Server) -> None:
        """Connect both processes to another Valkey."""
        for line in self.lines:
            line.target = valkey.socket(other.folder.parent)
            line.cut()

    async def arrive(self, stack: AsyncExitStack, count: int) -> list[Player]:
        """Players, every other one of them on the other process."""
        return [
            await stack.enter_async_context(await Player.arrive(self.addresses[number % 2], f"Player {number}"))
            for number in range(count)
        ]


@pytest.fixture(scope="session")
def processes(django_db_setup: None) -> Iterator[Processes]:
    """Started once; between tests they wait for a Redis that does not answer."""
    with ExitStack() as stack:
        redis = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        urls = [f"redis://127.0.0.1:{listener.getsockname()[1]}/0" for listener in redis]
        yield Processes([stack.enter_context(web_process(REDIS_URL=url)) for url in urls], redis)


@pytest.fixture
async def pair(processes: Processes, transactional_db: None) -> AsyncIterator[ProxiedPair]:
    tests_own = Path(unquote(urlsplit(settings.REDIS_URL).path))
    async with AsyncExitStack() as stack:
        lines = [
            await stack.enter_async_context(Proxy(tests_own, socket.socket(fileno=redis.dup().detach())))
            for redis in processes.redis
        ]
        yield ProxiedPair(processes.addresses, lines)


@pytest.fixture
def own_valkey() -> Iterator[Server]:
    """A Valkey that a test may kill."""
    with tempfile.TemporaryDirectory(prefix="qwixx-valkey-") as folder:
        data = Path(folder).resolve()
        data.chmod(0o711)
        with data_folder.locked(data), services.running(data, with_postgres=False, throwaway=True) as servers:
            yield servers[0]
