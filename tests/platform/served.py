"""A real web process for the platform's tests, and what it wrote to its log."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django.db import connection

PATIENCE_S = 15
SECRET = "qx_not-for-you"  # said by what goes wrong at the addresses of `tests.platform.broken`
ORIGIN = "https://play.example.org"


class Served(NamedTuple):
    address: str
    log: Path


def database_url() -> str:
    """The tests' own database, which pytest-django has made beside the one that the environment names."""
    its = connection.settings_dict
    return f"postgresql://{its['USER']}@/{its['NAME']}?host={its['HOST']}&port={its['PORT'] or 5432}"


@contextlib.contextmanager
def served() -> Iterator[Served]:
    """The socket is opened here and handed over, so that calls made before it is ready just wait."""
    with socket.create_server(("127.0.0.1", 0)) as listener, tempfile.NamedTemporaryFile() as log:
        environment = {"DATABASE_URL": database_url(), "CORS_ORIGINS": ORIGIN, "OLDEST_APP": "0.0.9"}
        command = [sys.executable, "-m", "uvicorn", "tests.platform.broken:application"]
        process = subprocess.Popen(
            [*command, f"--fd={listener.fileno()}", "--lifespan=on", "--log-level=warning", "--no-access-log"],
            env=os.environ | environment,
            pass_fds=[listener.fileno()],
            stderr=log,
        )
        try:
            yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", Path(log.name))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_S)
