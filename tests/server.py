"""A real web process for tests: uvicorn with the whole service, on a port of its own and the tests' database."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from django.db import connection

from qwixx_service.embedded import data_folder
from qwixx_service.embedded.postgres import SERVICE
from qwixx_service.embedded.process_list import PROTOCOLS, bound_reads, end_unread_connections
from qwixx_service.embedded.run_as import ends_with_parent

STOP_TIMEOUT_S = 15


def database_url(conninfo_host: str | None = None, role: str | None = None) -> str:
    """The test database, which pytest-django has created beside the one that the environment names."""
    settings = connection.settings_dict
    host = conninfo_host or settings["HOST"]
    return f"postgresql://{role or service_role()}@/{settings['NAME']}?host={host}&port={settings['PORT'] or 5432}"


def service_role() -> str:
    """The role with which engines and processes connect; the tests themselves are the superuser of our own server."""
    settings = connection.settings_dict
    is_ours = settings["HOST"] == str(data_folder.sockets(Path(os.environ["DATA_DIR"])))
    return SERVICE if is_ours else str(settings["USER"])


def owner_database_url() -> str:
    """For a process that is compared with ours: the role of the service may not write rows of the log directly."""
    return database_url(role=str(connection.settings_dict["USER"]))


class WebProcess(NamedTuple):
    address: str
    pid: int


@contextlib.contextmanager
def web_process(*arguments: Any, **options: Any) -> Iterator[str]:
    """Yields the address of a `running_web_process`."""
    with running_web_process(*arguments, **options) as running:
        yield running.address


@contextlib.contextmanager
def running_web_process(
    application: str = "qwixx_service.asgi:application",
    log: IO[bytes] | None = None,
    log_level: str = "warning",
    **environment: str,
) -> Iterator[WebProcess]:
    """The socket is opened here and inherited, so that early requests wait until it serves."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as qwixx_service/embedded/process_list.py does
        end_unread_connections(listener)
        bound_reads(listener)
        command = [sys.executable, "-m", "uvicorn", application, "--fd", str(listener.fileno()), *PROTOCOLS]
        options = ["--lifespan", "auto", "--log-level", log_level, "--no-access-log", "--timeout-keep-alive", "75"]
        # An open stream must not keep it from ending.
        options += ["--no-proxy-headers", "--timeout-graceful-shutdown", "5"]
        process = subprocess.Popen(
            [*command, *options],
            env={**os.environ, "DATABASE_URL": database_url(), **environment},
            pass_fds=[listener.fileno()],
            stderr=log,
            preexec_fn=ends_with_parent(signal.SIGTERM),
        )
        try:
            yield WebProcess(f"http://127.0.0.1:{listener.getsockname()[1]}", process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(STOP_TIMEOUT_S)
