"""What the directory answers, from memory or not, and how soon it hears of a change."""

import asyncio
from typing import Any

from psycopg import AsyncConnection

from players.directory import Directory
from players.identity import Profile, nobody
from players.ids import uuid7
from players.sessions import Opened
from tests.players.conftest import NOW

REVOKE = "SELECT players_session_revoke(%s, %s)"


async def test_a_token_is_known_and_remembered(directory: Directory, ann: Opened) -> None:
    identity = await directory.identify(ann.token)
    assert identity is not None
    assert (identity.player, identity.session) == (ann.player.id, ann.session)
    assert directory.identify_sync(ann.token) is identity, "a thread finds what the loop has read"


async def test_a_player_is_shown_and_one_who_is_gone_is_called_player(directory: Directory, ann: Opened) -> None:
    gone = uuid7()
    expected = {ann.player.id: Profile(ann.player.id, "Ann", is_guest=True), gone: nobody(gone)}
    assert await directory.profiles([ann.player.id, gone, ann.player.id]) == expected
    assert await asyncio.to_thread(directory.profiles_sync, [ann.player.id]) == {ann.player.id: ann.player}


async def test_a_revocation_is_heard_of(directory: Directory, ann: Opened, connection: AsyncConnection[Any]) -> None:
    heard = asyncio.Event()
    directory.listeners.append(lambda session: heard.set() if session == ann.session else None)
    assert await directory.identify(ann.token)
    await connection.execute(REVOKE, [[ann.session], NOW])
    await asyncio.wait_for(heard.wait(), 1)
    assert await directory.identify(ann.token) is None
