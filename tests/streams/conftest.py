"""Players with sockets on a real server."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.api.client import Json, Player
from tests.api.conftest import NewPlayer, ann, bob, new_player
from tests.streams.client import Socket, watch

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
