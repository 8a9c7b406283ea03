"""A PostgreSQL whose disk is full: what is acknowledged is stored, and the time is credited as an outage."""

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from games.engine.engine import Engine
from games.game.events import first_bad_version
from games.rules.refused import Refused
from qwixx_service.embedded import data_folder, services
from qwixx_service.observability.health import Readiness
from tests.embedded.launcher import ROOT
from tests.engine.games import NOW, next_step, started

SIZE = "size=160m"


@pytest.fixture
def small_disk() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="qwixx-disk-", dir="/tmp") as name:
        Path(name).chmod(0o711)
        folder = Path(name) / "data"
        folder.mkdir()
        mount = ["/bin/mount", "-t", "tmpfs", "-o", SIZE, "small", str(folder)]
        mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
        if mounted.returncode:
            pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
        folder.chmod(0o711)
        yield folder
        subprocess.run(["/bin/umount", str(folder)], check=True)


@pytest.fixture
def url(small_disk: Path) -> Iterator[str]:
    with data_folder.locked(small_disk), services.running(small_disk, with_valkey=False):
        url = services.database_url(small_disk)
        urls = {"DATABASE_URL": url, "DATABASE_OWNER_URL": services.owner_url(small_disk), "DATA_DIR": str(small_disk)}
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(migrate, cwd=ROOT, env=os.environ | urls, check=True)
        yield url


@contextlib.contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Not a byte is free within the block."""
    filling = disk / "filling"
    with contextlib.suppress(OSError), filling.open("wb", buffering=0) as file:
        for size in (2**20, 4096, 1):
            with contextlib.suppress(OSError):
                while file.write(bytes(size)):
                    pass
    try:
        yield
    finally:
        filling.unlink()


async def free() -> bool:
    return True


async def test_a_full_disk_is_an_outage_that_is_credited_and_loses_nothing(url: str, small_disk: Path) -> None:
    engine = Engine(url)
    await engine.open()

    async def opened() -> Engine:
        return engine

    readiness, monitor = Readiness(free, opened), engine.outage_monitor
    game = await started(engine)
    await monitor.beat()
    with filled(small_disk):
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(0.6)  # only two of a second's beats are proofs
        with pytest.raises(Refused, match="unavailable"):
            await monitor.beat()
        refused = 0
        while asyncio.get_running_loop().time() - began < 5.5:
            with contextlib.suppress(Refused):
                game = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
                continue
            refused += 1
        assert (await readiness.parts())["writes"] == "refused"
    assert refused
    await monitor.beat()
    (outage,) = await monitor.outages()
    assert outage.seconds >= 5
    done = await engine.submit(UUID(game.id), next_step(game), NOW)
    log = await engine.log(UUID(game.id))
    assert first_bad_version(log) is None
    assert log[-1].version == done.game.version
    await readiness.close()
    await engine.close()
