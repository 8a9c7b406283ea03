"""A real web process for tests: uvicorn with the whole service, on a port of its own and the tests' database."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import IO

from django.db import connection

from qwixx_service.embedded.roles import WEBSOCKETS, end_unread_connections
from qwixx_service.embedded.run_as import dies_with_us

PATIENCE_S = 15


def database_url(conninfo_host: str | None = None) -> str:
    """The tests' own database, which pytest-django has made beside the one that the environment names."""
    settings = connection.settings_dict
    host = conninfo_host or settings["HOST"]
    return f"postgresql://{settings['USER']}@/{settings['NAME']}?host={host}&port={settings['PORT'] or 5432}"


@contextlib.contextmanager
def web_process(
    application: str = "qwixx_service.asgi:application", log: IO[bytes] | None = None, **environment: str
) -> Iterator[str]:
    """Its address. The socket is opened here and handed over, so that calls made before it is ready just wait."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as `manage.py up` does, and for its reason
        end_unread_connections(listener)
        command = [sys.executable, "-m", "uvicorn", application, "--fd", str(listener.fileno())]
        options = ["--lifespan", "auto", "--log-level", "warning", "--no-access-log", "--timeout-keep-alive", "75"]
        options += [*WEBSOCKETS, "--http", "qwixx_service.http.requests:Requests"]
        # Who still listens must not keep it from ending.
        options += ["--no-proxy-headers", "--timeout-graceful-shutdown", "5"]
        process = subprocess.Popen(
            [*command, *options],
            env={**os.environ, "DATABASE_URL": database_url(), **environment},
            pass_fds=[listener.fileno()],
            stderr=log,
            preexec_fn=dies_with_us(signal.SIGTERM),
        )
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_S)
