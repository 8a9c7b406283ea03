"""Identifying and revoking at once, in threads, on the loop and in two processes: no revoked token lives on."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from psycopg import AsyncConnection

from players.sessions import sessions
from players.sessions.directory import Directory
from players.sessions.directory import directory as of_this_process
from players.sessions.sessions import Opened
from tests.players.conftest import NOW, Told, in_a_thread, terminate_listener
from tests.players.processes import Device, is_dead_there_within_a_second

ROUNDS = 60


@pytest.fixture
async def here(conninfo: str) -> AsyncIterator[Directory]:
    """The one that use cases of this process know."""
    await of_this_process.start(conninfo)
    yield of_this_process
    await of_this_process.stop()


async def ask_until_revoked(directory: Directory, token: str) -> None:
    while await directory.identify(token):  # noqa: ASYNC110  (to ask without pause is the point)
        await asyncio.sleep(0)


async def test_a_token_revoked_while_it_is_looked_up_is_dead_here_at_once_and_there_when_told(
    here: Directory, directory: Directory, told: Told
) -> None:
    for _ in range(ROUNDS):
        guest = await in_a_thread(sessions.make_guest, NOW)
        lookups = [one.identify(guest.token) for one in (here, directory) for _ in range(3)]
        threads = [in_a_thread(one.identify_sync, guest.token) for one in (here, directory)]
        asked = asyncio.gather(*lookups, *threads)
        await in_a_thread(sessions.revoke, guest.player.id, guest.session, NOW)
        assert await here.identify(guest.token) is None
        assert await told.next() == guest.session
        assert await directory.identify(guest.token) is None
        await asked
        for one in (here, directory):
            assert await one.identify(guest.token) is None
            assert await in_a_thread(one.identify_sync, guest.token) is None


async def test_a_token_asked_for_without_pause_dies_in_every_directory(
    here: Directory, directory: Directory, conninfo: str
) -> None:
    guests = [await in_a_thread(sessions.make_guest, NOW) for _ in range(20)]
    asking = [ask_until_revoked(one, guest.token) for one in (here, directory) for guest in guests]
    revoking = [in_a_thread(sessions.revoke_all, guest.player.id, NOW) for guest in guests]
    await asyncio.wait_for(asyncio.gather(*asking, *revoking), 20)
    assert not here._memory._identities
    assert not directory._memory._identities


async def test_renamed_again_and_again_a_player_is_shown_with_the_last_name(
    here: Directory, directory: Directory, ann: Opened
) -> None:
    async def look(one: Directory, until: str) -> None:
        while (await one.profiles([ann.player.id]))[ann.player.id].name != until:  # noqa: ASYNC110
            await asyncio.sleep(0)

    looking = asyncio.gather(look(here, "Ann 39"), look(directory, "Ann 39"))
    for n in range(40):
        await in_a_thread(sessions.change, ann.player.id, name=f"Ann {n}")
        assert (await here.profiles([ann.player.id]))[ann.player.id].name == f"Ann {n}"
    await asyncio.wait_for(looking, 1)


async def test_over_http_a_revoked_token_never_comes_back_to_life(stranger: Device) -> None:
    async def poll(device: Device, *, is_there: bool) -> None:
        while (await device.call("GET", "/players/me", is_there=is_there)).status_code == 200:
            pass
        for _ in range(10):
            await device.get("/players/me", 401, is_there=is_there)

    for _ in range(5):
        guest = await stranger.arrive()
        await guest.get("/players/me")
        pollers = [poll(guest, is_there=is_there) for is_there in (False, True)]
        polling = asyncio.gather(*pollers)
        await guest.delete("/sessions")
        await guest.get("/players/me", 401)
        await asyncio.wait_for(polling, 30)


async def test_over_http_a_revocation_is_seen_while_nobody_can_listen(
    stranger: Device, connection: AsyncConnection[Any]
) -> None:
    guest = await stranger.arrive()
    for is_there in (False, True):
        await guest.get("/players/me", is_there=is_there)
    await terminate_listener(connection)
    await guest.delete("/sessions")
    await is_dead_there_within_a_second(guest)
