"""Appends are atomic, and acknowledged appends survive the end of a connection or of the database."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator

import pytest

from games.game.events import Event, first_bad_version
from games.log import connections, store
from games.log.append_record import Append
from games.log.connections import Connection
from qwixx_service.embedded import orphaned_processes
from qwixx_service.embedded.server_process import Server
from tests.killable_database import killable_database
from tests.log.appends import count, creation, following, receipt, statuses, until_waiting
from tests.log.conftest import Connect


@pytest.mark.parametrize("size", [1, 3], ids=["alone", "in a batch"])
async def test_a_connection_killed_during_an_append_leaves_nothing_of_it(
    connect: Connect, owner: Connection, size: int
) -> None:
    writer, watcher = [await connect() for _ in range(2)]
    games = [creation() for _ in range(size)]
    await store.append(writer, games)
    batch = [following(game, count=2, receipt=receipt("k"), seats=((0, game.game, ""),)) for game in games]
    async with owner.transaction():
        await owner.execute("SELECT FROM games_game WHERE id = $1 FOR UPDATE", games[-1].game)
        append = asyncio.create_task(store.append(writer, batch))
        await until_waiting(watcher, writer.get_server_pid())
        await watcher.execute("SELECT pg_terminate_backend($1, 5000)", writer.get_server_pid())
        with pytest.raises(connections.LOST):
            await append
    for table, rows in (("games_event", size), ("games_receipt", 0), ("games_seat", 0)):
        assert await count(watcher, table) == rows
    assert statuses(await store.append(watcher, batch)) == ["ok"] * size


@pytest.fixture
def durable() -> Iterator[tuple[str, Server]]:
    with killable_database() as running:
        yield running


async def test_a_killed_database_has_kept_all_it_acknowledged(durable: tuple[str, Server]) -> None:
    url, server = durable
    acknowledged: list[Event] = []
    enough = asyncio.Event()
    writers = [asyncio.create_task(write_until_it_dies(url, acknowledged, enough)) for _ in range(6)]
    await enough.wait()
    orphaned_processes.end(server.folder, server.programs, signal.SIGKILL)
    await asyncio.gather(*writers)
    assert server.process
    assert server.process.wait() == -signal.SIGKILL
    server.start()
    async with connections.connected(url) as connection:
        assert await connection.fetchrow("SHOW fsync") == ("on",)
        await has_kept(connection, acknowledged)


async def write_until_it_dies(url: str, acknowledged: list[Event], enough: asyncio.Event) -> None:
    """Append batches of new and old games until the connection breaks; collect what was acknowledged."""
    games: list[Append] = []
    with contextlib.suppress(*connections.LOST):
        async with connections.connected(url) as connection:
            while True:
                batch = [*(following(game, count=2, receipt=receipt("k")) for game in games[-3:]), creation()]
                assert statuses(await store.append(connection, batch)) == ["ok"] * len(batch)
                acknowledged += [event for item in batch for event in item.events]
                games = [*games[:-3], *batch]
                if len(acknowledged) > 3000:
                    enough.set()


async def has_kept(connection: Connection, acknowledged: list[Event]) -> None:
    query = "SELECT id, version, head_hash FROM games_game"
    tips = await connection.fetch(query)
    logs = {str(game): await store.events_after(connection, game, 0) for game, _, _ in tips}
    for game, version, head_hash in tips:
        log = logs[str(game)]
        assert first_bad_version(log) is None
        assert (log[-1].version, log[-1].hash) == (version, head_hash.hex()), "tip and log were stored together"
    for event in acknowledged:
        assert logs[event.game][event.version - 1] == event
