"""Players with tokens of their own, who call a real server."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from tests.api.client import Player

NewPlayer = Callable[..., Awaitable[Player]]


@pytest.fixture
async def new_player(server: str, transactional_db: None) -> AsyncIterator[NewPlayer]:
    async with AsyncExitStack() as stack:

        async def new(name: str = "Ann", address: str = server) -> Player:
            return await stack.enter_async_context(await Player.arrive(address, name))

        yield new


@pytest.fixture
async def ann(new_player: NewPlayer) -> Player:
    return await new_player("Ann")


@pytest.fixture
async def bob(new_player: NewPlayer) -> Player:
    return await new_player("Bob")
