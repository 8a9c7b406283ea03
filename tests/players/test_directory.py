"""The directory answers from its cache or from the database, and never with rows that have changed."""

import asyncio
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import connection as django_connection
from django.db import transaction
from psycopg import AsyncConnection

from players.accounts import guests, profile
from players.accounts.models import Player
from players.database import change_listener
from players.database.ids import uuid7
from players.sessions import last_seen, lifecycle, tokens
from players.sessions.directory import Directory
from players.sessions.identity import Profile, deleted_profile
from players.sessions.lifecycle import NewSession
from players.sessions.models import Session
from tests.players.conftest import (
    NOW,
    MakeDirectory,
    RevokedSessions,
    digest_of,
    in_a_thread,
    next_epoch,
    terminate_listener,
)

REVOKE = "SELECT players_session_revoke(%s, %s)"

Database = AsyncConnection[Any]


async def test_an_identified_token_is_cached_for_threads_too(directory: Directory, ann: NewSession) -> None:
    identity = await directory.whose(digest_of(ann.token))
    assert identity is not None
    assert (identity.player, identity.session) == (ann.player.id, ann.session)
    assert await in_a_thread(directory.identify_sync, ann.token) is identity


async def test_a_text_that_is_no_token_has_no_identity(directory: Directory, ann: NewSession) -> None:
    for wrong in ("", "qx_", ann.token[:-1], ann.token + "A", ann.token.upper(), tokens.new(), "ü" * 46, "\ud800"):
        assert await directory.whose(digest_of(wrong)) is None
        assert await in_a_thread(directory.identify_sync, wrong) is None


async def test_a_deleted_player_has_an_anonymous_profile(directory: Directory, ann: NewSession) -> None:
    gone = uuid7()
    expected = {ann.player.id: Profile(ann.player.id, "Ann", is_guest=True), gone: deleted_profile(gone)}
    assert await directory.profiles([ann.player.id, gone, ann.player.id]) == expected
    assert await in_a_thread(directory.profiles_sync, [ann.player.id, gone]) == expected
    assert await directory.profiles([]) == {}


async def test_a_missing_player_is_not_cached(directory: Directory) -> None:
    player = uuid7()
    assert (await directory.profiles([player]))[player].name == "Player"
    await in_a_thread(Player.objects.create, id=player, name="Bob")
    assert (await directory.profiles([player]))[player].name == "Bob"


async def test_a_revocation_reaches_the_directory_of_another_process(
    directory: Directory, ann: NewSession, revoked: RevokedSessions
) -> None:
    assert await directory.whose(digest_of(ann.token))
    await in_a_thread(lifecycle.revoke_all, ann.player.id, NOW)
    assert await revoked.next() == ann.session
    assert await directory.whose(digest_of(ann.token)) is None


async def test_a_revocation_that_is_rolled_back_is_not_notified(
    directory: Directory, ann: NewSession, connection: Database, revoked: RevokedSessions
) -> None:
    async with connection.transaction(force_rollback=True):
        await connection.execute(REVOKE, [[ann.session], NOW])
    another = await in_a_thread(guests.create_guest, NOW)
    await connection.execute(REVOKE, [[another.session], NOW])
    assert await revoked.next() == another.session
    assert await directory.whose(digest_of(ann.token))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE players_session SET revoked_at = now()",
        "DELETE FROM players_session",
        "UPDATE players_player SET is_active = false",
        "TRUNCATE players_session CASCADE",
    ],
)
async def test_every_statement_that_ends_a_token_is_notified(
    directory: Directory, ann: NewSession, connection: Database, change: str
) -> None:
    assert await directory.whose(digest_of(ann.token))
    epoch = directory.cache.epoch
    await connection.execute(change)
    await next_epoch(directory, epoch)
    assert await directory.whose(digest_of(ann.token)) is None


@pytest.mark.parametrize("payload", ["all", "", "session:nonsense", "club:1"])
async def test_an_unknown_notification_empties_the_cache_and_the_listener_goes_on(
    directory: Directory, ann: NewSession, connection: Database, revoked: RevokedSessions, payload: str
) -> None:
    assert await directory.whose(digest_of(ann.token))
    epoch = directory.cache.epoch
    await connection.execute("SELECT pg_notify('players', %s)", [payload])
    await next_epoch(directory, epoch)
    assert len(directory.cache) == 0
    await connection.execute(REVOKE, [[ann.session], NOW])
    assert await revoked.next() == ann.session


async def test_a_changed_name_reaches_every_process(make_directory: MakeDirectory, ann: NewSession) -> None:
    processes = [await make_directory() for _ in range(2)]
    for process in processes:
        await process.profiles([ann.player.id])
    epochs = [process.cache.epoch for process in processes]
    await in_a_thread(profile.change, ann.player.id, name="Anna")
    for process, epoch in zip(processes, epochs, strict=True):
        await next_epoch(process, epoch)
        assert (await process.profiles([ann.player.id]))[ann.player.id].name == "Anna"


async def test_a_revocation_while_the_listener_reconnects_is_noticed(
    directory: Directory, ann: NewSession, connection: Database, revoked: RevokedSessions
) -> None:
    assert await directory.whose(digest_of(ann.token))
    with directory.holding(ann.session):
        async with connection.transaction():
            # Committed before the listener reconnects, and without a notification.
            await connection.execute("ALTER TABLE players_session DISABLE TRIGGER players_session_revoked")
            await connection.execute(REVOKE, [[ann.session], NOW])
            await connection.execute("ALTER TABLE players_session ENABLE TRIGGER players_session_revoked")
            directory.listening.clear()
            await terminate_listener(connection)
        await asyncio.wait_for(directory.listening.wait(), 5)
        assert await revoked.next() == ann.session
    assert await directory.whose(digest_of(ann.token)) is None


async def test_idle_connections_that_broke_together_are_replaced_together(
    directory: Directory, connection: Database
) -> None:
    together = threading.Barrier(6)

    def backend(wait: Callable[[], object]) -> int:
        with django_connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            wait()
            return int(cursor.fetchone()[0])

    backends = await asyncio.gather(*(in_a_thread(backend, together.wait) for _ in range(together.parties)))
    directory.listening.clear()
    await connection.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s) AS pid", [backends])
    await terminate_listener(connection)
    await asyncio.wait_for(directory.listening.wait(), 5)
    # By itself the pool would try one broken connection after the other, with growing pauses, for over ten seconds.
    assert await asyncio.wait_for(in_a_thread(backend, int), 8) not in backends


async def test_a_directory_without_its_listener_queries_the_database(
    directory: Directory, ann: NewSession, connection: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await directory.whose(digest_of(ann.token))
    monkeypatch.setattr(change_listener, "RECONNECT_AFTER_S", 3600.0)
    await terminate_listener(connection)
    await until_not_live(directory)
    assert len(directory.cache) == 0
    assert await directory.whose(digest_of(ann.token))
    assert len(directory.cache) == 0, "a row whose changes are not notified must not be cached"
    await in_a_thread(lifecycle.revoke_all, ann.player.id, NOW)
    assert await directory.whose(digest_of(ann.token)) is None


async def test_a_directory_whose_listener_gets_no_timely_replies_does_not_use_its_cache(
    directory: Directory, ann: NewSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await directory.whose(digest_of(ann.token))
    monkeypatch.setattr(change_listener, "LEASE_S", 0.0)  # every reply of the database comes too late
    await until_not_live(directory)
    assert await directory.whose(digest_of(ann.token)) is not directory.cache.identity(tokens.digest(ann.token) or b"")


async def test_a_directory_that_is_not_started_queries_the_database_each_time(ann: NewSession) -> None:
    directory = Directory()
    assert await directory.whose(digest_of(ann.token))
    assert (await directory.profiles([ann.player.id]))[ann.player.id].name == "Ann"
    assert await in_a_thread(directory.identify_sync, ann.token)
    assert len(directory.cache) == 0


async def test_uncommitted_changes_are_not_cached(directory: Directory, ann: NewSession) -> None:
    def rename_and_read() -> str:
        with transaction.atomic():
            Player.objects.filter(pk=ann.player.id).update(name="Never")
            name = directory.profiles_sync([ann.player.id])[ann.player.id].name
            transaction.set_rollback(True)
        return name

    assert await in_a_thread(rename_and_read) == "Never"
    assert (await directory.profiles([ann.player.id]))[ann.player.id].name == "Ann"


async def test_a_failing_listener_does_not_stop_the_others(
    directory: Directory, ann: NewSession, revoked: RevokedSessions, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_session: object) -> None:
        raise ValueError("broken")

    directory.revocation_listeners.insert(0, broken)
    await in_a_thread(lifecycle.revoke_all, ann.player.id, NOW)
    assert await revoked.next() == ann.session
    assert "a listener failed" in caplog.text


async def test_the_time_of_the_last_request_is_written_once_a_minute(
    make_directory: MakeDirectory, ann: NewSession, connection: Database
) -> None:
    directory = await make_directory()
    await directory.whose(digest_of(ann.token))
    await directory.stop()
    first = await last_seen_at(ann)
    assert first > NOW
    await connection.execute(last_seen.WRITE, [[ann.session]])
    assert await last_seen_at(ann) == first


async def until_not_live(directory: Directory) -> None:
    async with asyncio.timeout(5):
        while directory.is_live:  # noqa: ASYNC110  (it depends on the time: there is no event)
            await asyncio.sleep(0.01)


async def last_seen_at(new_session: NewSession) -> datetime:
    seen = (await in_a_thread(Session.objects.get, pk=new_session.session)).last_seen_at
    assert seen is not None
    return seen
