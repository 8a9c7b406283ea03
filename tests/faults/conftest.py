"""A PostgreSQL of the faults' own: durable, migrated, and killed by its tests."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from qwixx_service.embedded import data_folder, services
from qwixx_service.embedded.server_process import Server

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="package")
def postgres() -> Iterator[tuple[str, Server]]:
    with tempfile.TemporaryDirectory(prefix="qwixx-faults-", dir="/tmp") as folder:
        data = Path(folder)
        data.chmod(0o711)  # the server runs as another user and must get through to its own folder
        with data_folder.locked(data), services.running(data, with_valkey=False) as (server,):
            url = services.database_url(data)
            urls = {"DATABASE_URL": url, "DATABASE_OWNER_URL": services.owner_url(data)}
            environment = os.environ | urls | {"DATA_DIR": str(data)}
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
            yield url, server
