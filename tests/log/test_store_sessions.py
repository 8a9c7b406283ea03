"""A revoked session appends nothing, from the moment its revocation is acknowledged."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID

import pytest

from games.log import store
from games.log.connections import Connection
from players.models import Player, Session
from tests.log.appends import creation, following, receipt, statuses, until_waiting
from tests.log.conftest import Connect

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)
REVOKE = "SELECT players_session_revoke($1, $2)"


@pytest.fixture
def session(conninfo: str) -> UUID:
    player = Player.objects.create(name="Ann")
    return Session.objects.create(player=player, token_hash=b"t" * 32).pk


async def test_a_session_appends_until_it_is_revoked(connection: Connection, session: UUID) -> None:
    first = creation(session=session, receipt=receipt("a"))
    second = following(first, session=session, receipt=receipt("b"))
    assert statuses(await store.append(connection, [first])) == ["ok"]
    await connection.execute(REVOKE, [session], MOMENT)
    assert statuses(await store.append(connection, [second])) == ["revoked"]
    assert statuses(await store.append(connection, [first])) == ["revoked"], "a revoked session gets no receipts"
    assert await store.events_after(connection, first.game, 1) == []


async def test_an_unknown_session_appends_nothing(connection: Connection) -> None:
    assert statuses(await store.append(connection, [creation(session=UUID(int=7))])) == ["revoked"]


def test_a_revocation_returns_the_sessions_that_it_ended(session: UUID) -> None:
    sessions = Session.objects.filter(player__name="Ann")
    assert sessions.revoke(MOMENT) == [session]
    assert sessions.revoke(datetime(2027, 1, 1, tzinfo=UTC)) == []
    assert sessions.get().revoked_at == MOMENT


async def test_a_revocation_waits_for_an_append_under_way(connect: Connect, owner: Connection, session: UUID) -> None:
    writer, revoker, watcher = [await connect() for _ in range(3)]
    first = creation()
    await store.append(writer, [first])
    async with owner.transaction():
        await owner.execute("UPDATE games_game SET bots_at = now() WHERE id = $1", first.game)
        append = asyncio.create_task(store.append(writer, [following(first, session=session)]))
        await until_waiting(watcher, writer.get_server_pid())
        revocation = asyncio.create_task(revoker.fetch(REVOKE, [session], MOMENT))
        await until_waiting(watcher, revoker.get_server_pid())
    assert statuses(await append) == ["ok"]
    assert await revocation == [(session,)]


async def test_an_append_that_comes_during_a_revocation_sees_it(connect: Connect, session: UUID) -> None:
    writer, revoker, watcher = [await connect() for _ in range(3)]
    first, other = creation(), creation()
    await store.append(writer, [first, other])
    async with revoker.transaction():
        await revoker.execute(REVOKE, [session], MOMENT)
        append = asyncio.create_task(store.append(writer, [following(first, session=session), following(other)]))
        await until_waiting(watcher, writer.get_server_pid())
    assert statuses(await append) == ["revoked", "ok"]
