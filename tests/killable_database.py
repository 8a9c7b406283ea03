"""A migrated PostgreSQL of a test's own, durable and with fsync on, which the test may kill."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from qwixx_service.embedded import data_folder, services
from qwixx_service.embedded.server_process import Server

ROOT = Path(__file__).parents[1]


@contextlib.contextmanager
def killable_database() -> Iterator[tuple[str, Server]]:
    """Yields its URL and its process."""
    with tempfile.TemporaryDirectory(prefix="qwixx-killable-", dir="/tmp") as folder:
        data = Path(folder)
        data.chmod(0o711)  # the server runs as another user and must get through to its own folder
        with data_folder.locked(data), services.running(data, with_valkey=False) as (server,):
            url = services.database_url(data)
            urls = {"DATABASE_URL": url, "DATABASE_OWNER_URL": services.owner_url(data)}
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            subprocess.run(migrate, cwd=ROOT, env=os.environ | urls | {"DATA_DIR": str(data)}, check=True)
            yield url, server
