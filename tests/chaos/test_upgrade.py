"""Games go on while the database is migrated from the last release and the web processes are replaced one by one."""

import asyncio
import contextlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from qwixx_service.database import online_migrations
from qwixx_service.embedded import data_folder, services
from tests.chaos.judgement import compared
from tests.chaos.players import Ledger, Table
from tests.chaos.service import DIRECT, ChaosService, ServicePart, web_command
from tests.embedded.launcher import ROOT

OPTIONS = "from qwixx_service.embedded import process_list; print(*process_list.UVICORN)"
STEP_S = 1.5  # of play between two steps


@pytest.fixture
def last_release() -> Iterator[Path]:
    """Its source; without the history of the project there is none."""
    commit, git = online_migrations.last_release()["commit"], shutil.which("git")
    with tempfile.TemporaryDirectory(prefix="qwixx-release-", dir="/tmp") as folder:
        archive = [git or "git", "archive", "--format=tar", f"--output={folder}/release.tar", commit]
        if git is None or subprocess.run(archive, cwd=ROOT, capture_output=True, check=False).returncode:
            pytest.skip(f"the history of the project is not here: commit {commit} cannot be read")
        source = Path(folder) / "release"
        source.mkdir()
        subprocess.run(["tar", "-xf", f"{folder}/release.tar", "-C", str(source)], check=True)
        yield source


@contextlib.contextmanager
def servers() -> Iterator[ChaosService]:
    with tempfile.TemporaryDirectory(prefix="qwixx-upgrade-", dir="/tmp") as name:
        folder, disk = Path(name), Path(name) / "disk"
        folder.chmod(0o711)
        disk.mkdir()
        disk.chmod(0o711)
        with data_folder.locked(disk), services.running(disk, throwaway=True) as (redis, database):
            yield ChaosService(disk, folder, database, redis)


def process(service: ChaosService, name: str, source: Path, port: int) -> ServicePart:
    """A web process of this source, with the options that it gives to the server itself."""
    options = service.run("-c", OPTIONS, source=source).stdout.split()
    command = [sys.executable, *options, *DIRECT, "--host=127.0.0.1", f"--port={port}"]
    environment = service.environment | {"PYTHONPATH": str(source), "DATABASE_OWNER_URL": ""}
    return ServicePart(name, command, service.folder, environment, port, source)


@pytest.mark.timeout(240)
def test_games_go_on_while_the_last_release_is_replaced(last_release: Path) -> None:
    ledger = Ledger()
    with servers() as service:
        migrate = ["manage.py", "migrate", "--verbosity=0"]
        service.run(*migrate, source=last_release)
        asyncio.run(upgrade(service, last_release, ledger))
        with psycopg.connect(services.superuser_url(service.disk)) as database:
            assert compared(database, ledger) == ([], [])
        service.run("manage.py", "verify_log")
    assert ledger.odd == []
    assert len(ledger.acknowledged) > 20


async def upgrade(service: ChaosService, last_release: Path, ledger: Ledger) -> None:
    ports = [web_command()[1] for _ in range(2)]
    webs = [process(service, f"web-{number}", last_release, port) for number, port in enumerate(ports)]
    tables = [Table([web.address for web in webs], ledger, seed) for seed in range(3)]
    ending = asyncio.Event()
    try:
        for web in webs:
            web.start()
        await asyncio.gather(*(web.is_ready() for web in webs))
        playing = [asyncio.create_task(table.run(ending)) for table in tables]
        await asyncio.sleep(STEP_S)
        await asyncio.to_thread(service.run, "manage.py", "migrate", "--verbosity=0")
        await asyncio.sleep(STEP_S)
        for number, port in enumerate(ports):
            await webs[number].end()
            webs[number] = process(service, f"new-{number}", ROOT, port)
            webs[number].start()
            await webs[number].is_ready()
            await asyncio.sleep(STEP_S)
        ending.set()
        await asyncio.gather(*playing)
    finally:
        for web in webs:
            await web.kill()
        for client in (client for table in tables for client in table.clients):
            await client.close()
