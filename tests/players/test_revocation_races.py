"""Tokens are identified and revoked at the same time, in threads, on the event loop and in two processes."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from psycopg import AsyncConnection

from players.accounts import guests, profile
from players.sessions import lifecycle
from players.sessions.directory import Directory
from players.sessions.directory import directory as of_this_process
from players.sessions.lifecycle import NewSession
from tests.players.conftest import NOW, RevokedSessions, digest_of, in_a_thread, terminate_listener
from tests.players.devices import Device, is_refused_on_second_within_a_second

ROUNDS = 60


@pytest.fixture
async def here(conninfo: str) -> AsyncIterator[Directory]:
    """The directory that the use cases of this process use."""
    await of_this_process.start(conninfo)
    yield of_this_process
    await of_this_process.stop()


async def ask_until_revoked(directory: Directory, token: str) -> None:
    while await directory.whose(digest_of(token)):  # noqa: ASYNC110  (the test is to ask without a pause)
        await asyncio.sleep(0)


async def test_a_token_revoked_during_a_lookup_fails_here_at_once_and_elsewhere_when_notified(
    here: Directory, directory: Directory, revoked: RevokedSessions
) -> None:
    for _ in range(ROUNDS):
        guest = await in_a_thread(guests.create_guest, NOW)
        lookups = [one.whose(digest_of(guest.token)) for one in (here, directory) for _ in range(3)]
        threads = [in_a_thread(one.identify_sync, guest.token) for one in (here, directory)]
        identified = asyncio.gather(*lookups, *threads)
        await in_a_thread(lifecycle.revoke, guest.player.id, guest.session, NOW)
        assert await here.whose(digest_of(guest.token)) is None
        assert await revoked.next() == guest.session
        assert await directory.whose(digest_of(guest.token)) is None
        await identified
        for one in (here, directory):
            assert await one.whose(digest_of(guest.token)) is None
            assert await in_a_thread(one.identify_sync, guest.token) is None


async def test_a_token_identified_without_a_pause_fails_in_every_directory(
    here: Directory, directory: Directory, conninfo: str
) -> None:
    players = [await in_a_thread(guests.create_guest, NOW) for _ in range(20)]
    asking = [ask_until_revoked(one, guest.token) for one in (here, directory) for guest in players]
    revoking = [in_a_thread(lifecycle.revoke_all, guest.player.id, NOW) for guest in players]
    await asyncio.wait_for(asyncio.gather(*asking, *revoking), 20)
    assert len(here.cache) == len(directory.cache) == 0


async def test_a_player_who_is_renamed_repeatedly_is_shown_with_the_last_name(
    here: Directory, directory: Directory, ann: NewSession
) -> None:
    async def look(one: Directory, until: str) -> None:
        while (await one.profiles([ann.player.id]))[ann.player.id].name != until:  # noqa: ASYNC110
            await asyncio.sleep(0)

    looking = asyncio.gather(look(here, "Ann 39"), look(directory, "Ann 39"))
    for n in range(40):
        await in_a_thread(profile.change, ann.player.id, name=f"Ann {n}")
        assert (await here.profiles([ann.player.id]))[ann.player.id].name == f"Ann {n}"
    await asyncio.wait_for(looking, 1)


async def test_a_revoked_token_never_works_again_over_http(anonymous: Device) -> None:
    async def poll(device: Device, *, on_second: bool) -> None:
        while (await device.call("GET", "/players/me", on_second=on_second)).status_code == 200:
            pass
        for _ in range(10):
            await device.get("/players/me", 401, on_second=on_second)

    for _ in range(5):
        guest = await anonymous.create_guest()
        await guest.get("/players/me")
        pollers = [poll(guest, on_second=on_second) for on_second in (False, True)]
        polling = asyncio.gather(*pollers)
        await guest.delete("/sessions")
        await guest.get("/players/me", 401)
        await asyncio.wait_for(polling, 30)


async def test_a_revocation_is_noticed_over_http_while_listeners_reconnect(
    anonymous: Device, connection: AsyncConnection[Any]
) -> None:
    guest = await anonymous.create_guest()
    for on_second in (False, True):
        await guest.get("/players/me", on_second=on_second)
    await terminate_listener(connection)
    await guest.delete("/sessions")
    await is_refused_on_second_within_a_second(guest)
