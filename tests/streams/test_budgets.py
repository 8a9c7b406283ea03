"""Budgets of streams on a running service: open sockets, event streams and long polls together, and handshakes."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from players.limits.budgets import STREAMS_PER_ADDRESS, STREAMS_PER_SESSION
from players.limits.rate_limits import LIMITS
from tests.api.client import Json, Player
from tests.players.devices import is_problem
from tests.server import web_process
from tests.streams.client import TIMEOUT_S, Socket
from tests.streams.counted import has, until

STREAMS = "qwixx_streams "


@pytest.fixture(scope="module")
def proxied(django_db_setup: None) -> Iterator[str]:
    """A web process behind a proxy: tests choose the addresses of its clients."""
    with web_process(NUM_PROXIES="1") as address:
        yield address


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def arrive(stack: AsyncExitStack, server: str, name: str = "Ann") -> Player:
    return await stack.enter_async_context(await Player.arrive(server, name))


async def me(stack: AsyncExitStack, server: str, token: str | None, address: str = "198.51.100.1") -> Socket:
    headers = {"X-Forwarded-For": address}
    socket = await stack.enter_async_context(await Socket.open(server, "/ws/v1/me", token, headers=headers))
    await socket.until_settled()
    return socket


async def event_stream(stack: AsyncExitStack, player: Player, game: Json) -> httpx.Response:
    answer = await stack.enter_async_context(player.http.stream("GET", f"/games/{game['id']}/stream"))
    if answer.status_code != 200:
        await answer.aread()
    return answer


def long_poll(player: Player, game: Json) -> Any:
    return player.http.get(f"/games/{game['id']}/events?after={game['version']}&wait=30")


async def counted(server: str, streams: int) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        await until(lambda: has(server, STREAMS, streams))


@pytest.fixture
async def ann(proxied: str, stack: AsyncExitStack, transactional_db: None) -> Player:
    await counted(proxied, 0)
    return await arrive(stack, proxied)


async def test_a_session_holds_twenty_streams_of_all_kinds_together(
    ann: Player, proxied: str, stack: AsyncExitStack
) -> None:
    game = await ann.create()
    sockets = [await me(stack, proxied, ann.token) for _ in range(STREAMS_PER_SESSION - 2)]
    assert (await event_stream(stack, ann, game)).status_code == 200
    poll = asyncio.create_task(long_poll(ann, game))
    await counted(proxied, STREAMS_PER_SESSION)
    for refused in (await event_stream(stack, ann, game), await long_poll(ann, game)):
        is_problem(refused, 429, "too_many_requests")
        assert int(refused.headers["retry-after"]) >= 1
    refused_socket = await me(stack, proxied, ann.token)
    assert (await refused_socket.closed(), refused_socket.frames) == (4429, [])
    assert (await ann.get(f"/games/{game['id']}/events"))["version"] == game["version"], "a plain read is no stream"
    bob = await arrive(stack, proxied, "Bob")
    assert (await me(stack, proxied, bob.token)).frames, "another session has a budget of its own"
    await sockets[0].close()
    await counted(proxied, STREAMS_PER_SESSION)
    assert (await me(stack, proxied, ann.token)).frames
    poll.cancel()


async def test_every_end_of_a_stream_frees_its_place(ann: Player, proxied: str) -> None:
    game = await ann.create()
    for _ in range(2):
        async with AsyncExitStack() as stack:
            for _ in range(10):
                await me(stack, proxied, ann.token)
                await event_stream(stack, ann, game)
            await counted(proxied, STREAMS_PER_SESSION)
        await counted(proxied, 0)
        polls = [asyncio.create_task(long_poll(ann, game)) for _ in range(STREAMS_PER_SESSION)]
        await counted(proxied, STREAMS_PER_SESSION)
        for poll in polls[:10]:
            poll.cancel()  # the client disconnects
        await counted(proxied, STREAMS_PER_SESSION - 10)
        game = await ann.post(f"/games/{game['id']}/bots", {"level": "easy"})
        assert {answer.status_code for answer in await asyncio.gather(*polls[10:])} == {200}
        await counted(proxied, 0)
        game = await ann.create()


@pytest.mark.parametrize(
    ("addresses", "another"),
    [("192.0.2.1", "192.0.2.2"), ("2001:db8:0:1::{number:x}", "2001:db8:0:2::1")],
    ids=["IPv4", "IPv6 network"],
)
async def test_an_address_holds_two_hundred_streams(
    ann: Player, proxied: str, stack: AsyncExitStack, addresses: str, another: str
) -> None:
    others = [await arrive(stack, proxied, f"Player {number}") for number in range(10)]
    for number, player in enumerate(others):
        address = addresses.format(number=number)
        await asyncio.gather(*(me(stack, proxied, player.token, address) for _ in range(STREAMS_PER_SESSION)))
    await counted(proxied, STREAMS_PER_ADDRESS)
    assert await (await me(stack, proxied, ann.token, addresses.format(number=77))).closed() == 4429
    assert (await me(stack, proxied, ann.token, another)).frames


async def test_a_session_that_opens_sockets_too_fast_is_closed_with_4429(ann: Player, proxied: str) -> None:
    for number in range(LIMITS["sockets"].burst * 4):
        async with AsyncExitStack() as stack:
            socket = await me(stack, proxied, ann.token, f"203.0.113.{number % 200}")
            if not socket.frames:
                assert await socket.closed() == 4429
                break
    else:
        pytest.fail("no handshake was refused")
