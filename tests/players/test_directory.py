"""What the directory answers, from memory or from the database, and that it never answers with what has changed."""

import asyncio
from datetime import datetime
from typing import Any

import pytest
from django.db import transaction
from psycopg import AsyncConnection

from players.database.ids import uuid7
from players.models import Player, Session
from players.sessions import last_seen as presence
from players.sessions import sessions
from players.sessions import tokens as token_texts
from players.sessions.directory import Directory
from players.sessions.identity import Profile, nobody
from players.sessions.sessions import Opened
from tests.players.conftest import NOW, MakeDirectory, Told, in_a_thread, terminate_listener, until_heard

REVOKE = "SELECT players_session_revoke(%s, %s)"

Database = AsyncConnection[Any]


async def test_a_token_is_known_and_remembered_for_threads_too(directory: Directory, ann: Opened) -> None:
    identity = await directory.identify(ann.token)
    assert identity is not None
    assert (identity.player, identity.session) == (ann.player.id, ann.session)
    assert await in_a_thread(directory.identify_sync, ann.token) is identity


async def test_what_was_never_a_token_is_nobodys(directory: Directory, ann: Opened) -> None:
    for wrong in ("", "qx_", ann.token[:-1], ann.token + "A", ann.token.upper(), token_texts.new(), "ü" * 46, "\ud800"):
        assert await directory.identify(wrong) is None
        assert await in_a_thread(directory.identify_sync, wrong) is None


async def test_a_player_is_shown_and_one_who_is_gone_is_called_player(directory: Directory, ann: Opened) -> None:
    gone = uuid7()
    expected = {ann.player.id: Profile(ann.player.id, "Ann", is_guest=True), gone: nobody(gone)}
    assert await directory.profiles([ann.player.id, gone, ann.player.id]) == expected
    assert await in_a_thread(directory.profiles_sync, [ann.player.id, gone]) == expected
    assert await directory.profiles([]) == {}


async def test_a_player_who_was_not_there_is_shown_once_he_is(directory: Directory) -> None:
    player = uuid7()
    assert (await directory.profiles([player]))[player].name == "Player"
    await in_a_thread(Player.objects.create, id=player, name="Bob")
    assert (await directory.profiles([player]))[player].name == "Bob"


async def test_a_revocation_is_heard_of_in_another_process(directory: Directory, ann: Opened, told: Told) -> None:
    assert await directory.identify(ann.token)
    await in_a_thread(sessions.revoke_all, ann.player.id, NOW)
    assert await told.next() == ann.session
    assert await directory.identify(ann.token) is None


async def test_a_revocation_that_is_rolled_back_is_not_heard_of(
    directory: Directory, ann: Opened, connection: Database, told: Told
) -> None:
    async with connection.transaction(force_rollback=True):
        await connection.execute(REVOKE, [[ann.session], NOW])
    another = await in_a_thread(sessions.make_guest, NOW)
    await connection.execute(REVOKE, [[another.session], NOW])
    assert await told.next() == another.session
    assert await directory.identify(ann.token)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE players_session SET revoked_at = now()",
        "DELETE FROM players_session",
        "UPDATE players_player SET is_active = false",
        "TRUNCATE players_session CASCADE",
    ],
)
async def test_however_a_token_ends_it_is_heard_of(
    directory: Directory, ann: Opened, connection: Database, change: str
) -> None:
    assert await directory.identify(ann.token)
    epoch = directory._memory.epoch
    await connection.execute(change)
    await until_heard(directory, epoch)
    assert await directory.identify(ann.token) is None


@pytest.mark.parametrize("payload", ["all", "", "session:nonsense", "club:1"])
async def test_words_that_nobody_knows_empty_memory_and_do_no_harm(
    directory: Directory, ann: Opened, connection: Database, told: Told, payload: str
) -> None:
    assert await directory.identify(ann.token)
    epoch = directory._memory.epoch
    await connection.execute("SELECT pg_notify('players', %s)", [payload])
    await until_heard(directory, epoch)
    assert len(directory._memory) == 0
    await connection.execute(REVOKE, [[ann.session], NOW])
    assert await told.next() == ann.session


async def test_a_changed_name_is_heard_of_in_every_process(make_directory: MakeDirectory, ann: Opened) -> None:
    processes = [await make_directory() for _ in range(2)]
    for process in processes:
        await process.profiles([ann.player.id])
    epochs = [process._memory.epoch for process in processes]
    await in_a_thread(sessions.change, ann.player.id, name="Anna")
    for process, epoch in zip(processes, epochs, strict=True):
        await until_heard(process, epoch)
        assert (await process.profiles([ann.player.id]))[ann.player.id].name == "Anna"


async def test_a_lost_line_empties_memory_and_a_revocation_meanwhile_is_seen_and_told(
    directory: Directory, ann: Opened, connection: Database, told: Told
) -> None:
    assert await directory.identify(ann.token)
    with directory.holding(ann.session):
        async with connection.transaction():
            # Committed before anybody can listen again, and told to nobody.
            await connection.execute("ALTER TABLE players_session DISABLE TRIGGER players_session_revoked")
            await connection.execute(REVOKE, [[ann.session], NOW])
            await connection.execute("ALTER TABLE players_session ENABLE TRIGGER players_session_revoked")
            directory.listening.clear()
            await terminate_listener(connection)
        await asyncio.wait_for(directory.listening.wait(), 5)
        assert await told.next() == ann.session
    assert await directory.identify(ann.token) is None


async def test_without_a_line_every_call_asks_the_database(directory: Directory, ann: Opened) -> None:
    assert await directory.identify(ann.token)
    directory._tasks[0].cancel()
    await asyncio.wait(directory._tasks[:1])
    assert not directory.is_live
    assert len(directory._memory) == 0
    assert await directory.identify(ann.token)
    assert len(directory._memory) == 0, "what nobody would hear of is not remembered"
    await in_a_thread(sessions.revoke_all, ann.player.id, NOW)
    assert await directory.identify(ann.token) is None


async def test_a_line_that_falls_silent_is_not_trusted(directory: Directory, ann: Opened) -> None:
    """As when a network swallows everything: nothing is lost yet, and nothing is heard."""
    assert await directory.identify(ann.token)
    directory._ear.until -= 1.0
    assert not directory.is_live
    memory = directory._memory
    assert await directory.identify(ann.token) is not memory.identity(token_texts.digest(ann.token) or b"")


async def test_a_directory_that_is_not_started_asks_the_database_each_time(ann: Opened) -> None:
    directory = Directory()
    assert await directory.identify(ann.token)
    assert (await directory.profiles([ann.player.id]))[ann.player.id].name == "Ann"
    assert await in_a_thread(directory.identify_sync, ann.token)
    assert len(directory._memory) == 0


async def test_what_a_transaction_sees_of_itself_is_not_remembered(directory: Directory, ann: Opened) -> None:
    def rename_and_look() -> str:
        with transaction.atomic():
            Player.objects.filter(pk=ann.player.id).update(name="Never")
            name = directory.profiles_sync([ann.player.id])[ann.player.id].name
            transaction.set_rollback(True)
        return name

    assert await in_a_thread(rename_and_look) == "Never"
    assert (await directory.profiles([ann.player.id]))[ann.player.id].name == "Ann"


async def test_a_listener_that_fails_keeps_nobody_from_hearing(
    directory: Directory, ann: Opened, told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_session: object) -> None:
        raise ValueError("broken")

    directory.listeners.insert(0, broken)
    await in_a_thread(sessions.revoke_all, ann.player.id, NOW)
    assert await told.next() == ann.session
    assert "a listener failed" in caplog.text


async def test_when_a_session_was_last_seen_is_written_once_a_minute(
    make_directory: MakeDirectory, ann: Opened, connection: Database
) -> None:
    directory = await make_directory()
    await directory.identify(ann.token)
    await directory.stop()
    first = await last_seen(ann)
    assert first > NOW
    await connection.execute(presence.WRITE, [[ann.session]])
    assert await last_seen(ann) == first


async def last_seen(opened: Opened) -> datetime:
    seen = (await in_a_thread(Session.objects.get, pk=opened.session)).last_seen_at
    assert seen is not None
    return seen
