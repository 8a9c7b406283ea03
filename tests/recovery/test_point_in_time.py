"""pgBackRest with deploy/postgres: a database is restored to a second before a fault, and every chain is verified.

It takes a minute: `make recovery` runs it.
"""

import contextlib
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psycopg
import pytest

from tests.recovery.players_at_work import PlayersAtWork
from tests.recovery.processes import DEPLOY, ROOT, folder_of_servers, free_port, manage, need, program, run, until, web

pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.skipif("RECOVERY" not in os.environ, reason="takes a minute: make recovery"),
]
STORED = """
    SELECT first.command, event.version FROM games_event AS first JOIN games_event AS event USING (game_id, at)
     WHERE first.command IS NOT NULL AND event.version >= first.version
"""  # the events of a command share their time, and the first of them has its key
SMALL = ("-c", "shared_buffers=64MB", "-c", "max_wal_size=512MB", "-c", "listen_addresses=")


class BackedUpServer(NamedTuple):
    folder: Path
    programs: dict[str, str]

    @property
    def socket(self) -> Path:
        return self.folder / "run"

    def address(self, role: str) -> str:
        return f"postgresql://{role}@/qwixx?host={self.socket}&port=5432"

    @property
    def environment(self) -> dict[str, str]:
        """Paths in place of those in deploy/postgres/pgbackrest.conf, and nothing else."""
        paths = {"REPO1_PATH": "repository", "PG1_PATH": "data", "PG1_SOCKET_PATH": "run", "LOCK_PATH": "locks"}
        paths |= {"SPOOL_PATH": "spool"}
        given = {f"PGBACKREST_{name}": str(self.folder / path) for name, path in paths.items()}
        return given | {"PGBACKREST_CONFIG": f"{DEPLOY}/postgres/pgbackrest.conf"}

    def script(self, name: str, *arguments: str) -> str:
        return run("sh", DEPLOY / "postgres" / name, *arguments, environment=self.environment, as_servers=True)

    def query(self, statement: str, database: str = "qwixx") -> list[Any]:
        with psycopg.connect(self.address("qwixx"), dbname=database, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """With the settings of the recipe."""
        settings = ("-c", f"config_file={DEPLOY}/postgres/qwixx.conf", "-c", f"unix_socket_directories={self.socket}")
        command = (self.programs["postgres"], "-D", self.folder / "data", *settings, *SMALL)
        log = self.folder.parent / "postgres.log"
        with program(*command, log=log, environment=self.environment, as_servers=True, stop=signal.SIGINT):
            until(self.accepts_writes, f"PostgreSQL: see {log}")
            yield

    def accepts_writes(self) -> bool:
        try:
            return self.query("SELECT pg_is_in_recovery()", "postgres") == [(False,)]
        except psycopg.OperationalError:
            return False


@pytest.fixture
def database(folder: Path) -> BackedUpServer:
    found = BackedUpServer(folder_of_servers(folder / "db"), need("postgres", "initdb", "psql", "pgbackrest"))
    for name in ("run", "repository", "locks", "spool"):
        folder_of_servers(found.folder / name)
    options = ("--username=qwixx", "--auth=trust", "--encoding=UTF8", "--locale=C", "--data-checksums")
    run(found.programs["initdb"], "-D", found.folder / "data", *options, as_servers=True)
    return found


def create_roles(database: BackedUpServer) -> None:
    """As deploy/postgres/roles.sh does in a container."""
    database.query("CREATE DATABASE qwixx", "postgres")
    database.query((ROOT / "qwixx_service/embedded/roles.sql").read_text())


def has_age_of_archive(port: int) -> bool:
    metrics = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=20).text
    return re.search(r"^qwixx_wal_archive_age_seconds \d", metrics, re.MULTILINE) is not None


async def test_a_database_is_restored_to_a_second_before_a_fault(
    folder: Path, settings_of_processes: dict[str, str], database: BackedUpServer
) -> None:
    given = settings_of_processes | {
        "DATABASE_URL": database.address("qwixx_service"),
        "DATABASE_OWNER_URL": database.address("qwixx_owner"),
    }
    port = free_port()
    with database.running():
        create_roles(database)
        manage("migrate", "--verbosity=0", environment=given)
        with web(folder, port, given):
            async with PlayersAtWork(f"http://127.0.0.1:{port}", games=2) as players:
                assert "full backup" in database.script("backup.sh", "once")
                await players.progress(100)
                assert "diff backup" in database.script("backup.sh", "once")
                await players.progress(100)
                acknowledged = list(players.acknowledged)
                ((moment,),) = database.query("SELECT clock_timestamp()::text")
                await players.progress(20)
            assert has_age_of_archive(port)
        database.query("DROP TABLE games_event CASCADE")
    began = time.monotonic()
    database.script("restore.sh", moment)
    with database.running():
        print(f"restored to {moment} in {time.monotonic() - began:.1f} s")
        stored: dict[str, list[int]] = {}
        for command, version in database.query(STORED):
            stored.setdefault(command, []).append(version)
        lost = [action for action in acknowledged if sorted(stored.get(action.key, ())) != sorted(action.versions)]
        print(f"{len(acknowledged)} actions acknowledged before, {len(lost)} lost; after it, discarded")
        assert lost == []
        assert re.search("[1-9][0-9]* games are sound", manage("verify_log", environment=given))
        with web(folder, free_port(), given):
            pass
