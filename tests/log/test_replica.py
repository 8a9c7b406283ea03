"""Reads from a streaming replica: never less than was asked for, and from the database itself when it is away."""

import asyncio
import contextlib
import dataclasses
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.log import connections
from games.log.connections import Connection
from players.database import replica
from qwixx_service.embedded import binaries, data_folder, postgres
from qwixx_service.embedded.run_as import own, run_once
from qwixx_service.embedded.server_process import Server
from tests.engine.games import NOW, next_step, started
from tests.server import database_url, service_role

ROOT = Path(__file__).parents[2]
ANSWERS = """
import django; django.setup()
from players.database import replica
while True:
    input()
    print(*replica.fetch("SELECT pg_is_in_recovery()", [])[0], flush=True)
"""
HAS_REPLAYED = "SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn"


@pytest.fixture(scope="module")
def standby(django_db_setup: None) -> Iterator[Server]:
    """A replica of the tests' own server, made by pg_basebackup."""
    source = Path(os.environ["DATA_DIR"])
    if service_role() != postgres.SERVICE:
        pytest.skip("the given server is not ours to copy")
    program = binaries.postgres(postgres.major_of(source / "postgres"), source).bin / "pg_basebackup"
    if not program.exists():
        pytest.skip(f"{program} is missing")
    with tempfile.TemporaryDirectory(prefix="qwixx-standby-", dir="/tmp") as name:
        data = Path(name)
        data.chmod(0o711)
        folder = data / "postgres"
        for private in (folder, data / "run"):
            private.mkdir(mode=0o700)
            own(private)
        options: list[str | Path] = ["-h", data_folder.sockets(source), "-p", str(postgres.PORT)]
        options += ["-U", postgres.SUPERUSER]
        made = run_once(
            [program, "-D", folder, "--write-recovery-conf", "--checkpoint=fast", "--no-sync", *options], folder
        )
        assert made.returncode == 0, made.stdout
        with data_folder.locked(data), data_folder.socket_link(data):
            server = dataclasses.replace(postgres.prepared(data, throwaway=True), answers=lambda: answers(data))
            server.start()
            yield server
            server.stop()


def answers(data: Path) -> bool:
    try:
        with psycopg.connect(postgres.url(data, postgres.SUPERUSER, "postgres"), connect_timeout=5):
            return True
    except psycopg.OperationalError:
        return False


@pytest.fixture
def standby_url(standby: Server, conninfo: str) -> str:
    return database_url(str(data_folder.sockets(standby.folder.parent)))


@pytest.fixture
async def standby_owner(standby: Server, conninfo: str) -> AsyncIterator[Connection]:
    there = database_url(str(data_folder.sockets(standby.folder.parent)), postgres.SUPERUSER)
    async with connections.connected(there) as connection:
        yield connection
        await connection.execute("SELECT pg_wal_replay_resume()")


@pytest.fixture
async def engine(conninfo: str, standby_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Engine]:
    monkeypatch.setattr(replica, "AWAY_S", 0.0)
    made = Engine(conninfo, replica=standby_url)
    await made.open()
    yield made
    await made.close()


async def played(engine: Engine, steps: int = 6) -> GameState:
    game = await started(engine)
    for _ in range(steps):
        game = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
    return game


async def replayed(owner: Connection, standby_owner: Connection) -> None:
    """The replica has all that was committed; it has no event for it, so it is polled."""
    lsn = await owner.fetchval("SELECT pg_current_wal_lsn()::text")
    async with asyncio.timeout(30):
        while not await standby_owner.fetchval(HAS_REPLAYED, lsn):
            await standby_owner.execute("SELECT pg_sleep(0.01)")


async def test_a_log_up_to_a_version_is_read_from_the_replica_and_fresh_reads_are_not(
    engine: Engine, owner: Connection, standby_owner: Connection
) -> None:
    game = await played(engine)
    game_id = UUID(game.id)
    whole = await engine.log(game_id)
    await replayed(owner, standby_owner)
    await standby_owner.execute("SELECT pg_wal_replay_pause()")
    await owner.execute(
        "SET session_replication_role = replica"
    )  # without the triggers: only the replica has the log now
    await owner.execute("DELETE FROM games_event WHERE game_id = $1", game_id)
    assert [event async for page in engine.log_until(game_id, game.version) for event in page] == whole
    assert await engine.game_at(game_id, game.version) == game
    assert await engine.log(game_id) == []


async def test_what_a_replica_does_not_have_yet_is_read_from_the_database(
    engine: Engine, owner: Connection, standby_owner: Connection
) -> None:
    game = await played(engine, 2)
    await replayed(owner, standby_owner)
    await standby_owner.execute("SELECT pg_wal_replay_pause()")
    later = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
    other = await played(engine)
    assert await engine.game_at(UUID(later.id), later.version) == later
    assert await engine.game_at(UUID(other.id), other.version) == other


async def test_without_the_replica_everything_is_read_from_the_database(
    engine: Engine, standby: Server, standby_url: str
) -> None:
    game = await played(engine)
    environment = {**os.environ, "DATABASE_URL": database_url(), "DATABASE_REPLICA_URL": standby_url}
    with reader(environment) as ask:  # of a board or of figures
        assert await asyncio.to_thread(ask) == "True"
        standby.stop()
        try:
            assert await engine.game_at(UUID(game.id), game.version) == game
            assert await asyncio.to_thread(ask) == "False"
        finally:
            standby.start()


@contextlib.contextmanager
def reader(environment: dict[str, str]) -> Iterator[Callable[[], str]]:
    """A process of its own, as settings are read once: whether the server that answers it is the replica."""
    command, pipe = [sys.executable, "-c", ANSWERS], subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        given, told = process.stdin, process.stdout

        def ask() -> str:
            given.write("\n")
            given.flush()
            return told.readline().strip()

        yield ask
        process.kill()
