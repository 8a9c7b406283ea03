"""Processes of these tests: servers as an operator starts them, the service's own, and free ports for both."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from qwixx_service.embedded import data_folder, services
from qwixx_service.embedded.process_list import CELERY, NO_PEERS, THREADS, UVICORN
from qwixx_service.embedded.run_as import ends_with_parent, own, process_options, run_as

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
STARTED_WITHIN_S = 90
NOTHING: Mapping[str, str] = {}
POSTGRES_FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))


def need(*programs: str) -> dict[str, str]:
    """Where these programs are; the test is skipped where one is missing."""
    paths = {program: shutil.which(program, path=search_path()) for program in programs}
    if missing := [program for program, path in paths.items() if path is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    return {program: str(path) for program, path in paths.items()}


def search_path() -> str:
    """Debian does not put the programs of PostgreSQL on the path."""
    return os.pathsep.join([os.environ["PATH"], "/usr/sbin", *map(str, reversed(POSTGRES_FOLDERS))])


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def until(happened: Callable[[], Any], what: str, within_s: float = STARTED_WITHIN_S) -> Any:
    """Poll other processes, which send no event."""
    deadline = time.monotonic() + within_s
    while not (result := happened()):
        assert time.monotonic() < deadline, what
        time.sleep(0.1)
    return result


@contextlib.contextmanager
def program(
    *argv: str | Path,
    log: Path,
    environment: Mapping[str, str] = NOTHING,
    as_servers: bool = False,
    stop: int = signal.SIGTERM,
) -> Iterator[subprocess.Popen[bytes]]:
    """One process until the end of the block. `as_servers`: as the user of embedded servers, who is never root."""
    options: dict[str, Any] = {"env": os.environ.copy(), "preexec_fn": ends_with_parent(signal.SIGKILL)}
    if as_servers:
        argv, options = (*run_as().prefix, *argv), dict(process_options(signal.SIGKILL))
    options["env"] = {**options["env"], "PATH": search_path(), **environment}
    with log.open("ab") as output:
        process = subprocess.Popen(
            [*map(str, argv)], cwd=ROOT, stdout=output, stderr=output, start_new_session=True, **options
        )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGCONT)
            os.killpg(process.pid, stop)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(15)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(15)


def run(
    *argv: str | Path, environment: Mapping[str, str] = NOTHING, as_servers: bool = False, is_checked: bool = True
) -> str:
    """The output of a program that ends."""
    options: dict[str, Any] = {"env": os.environ.copy()}
    if as_servers:
        argv, options = (*run_as().prefix, *argv), dict(process_options(signal.SIGKILL))
    options["env"] = {**options["env"], "PATH": search_path(), **environment}
    done = subprocess.run(
        [*map(str, argv)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options
    )
    assert done.returncode == 0 or not is_checked, done.stdout
    return str(done.stdout)


def manage(*arguments: str, environment: Mapping[str, str]) -> str:
    return run(sys.executable, "manage.py", *arguments, environment=environment)


def folder_of_servers(folder: Path) -> Path:
    folder.mkdir(mode=0o700, exist_ok=True)
    own(folder)
    return folder


@contextlib.contextmanager
def database_of_our_own(folder: Path) -> Iterator[dict[str, str]]:
    """An embedded PostgreSQL; the settings that name it."""
    data = folder / "database"
    data.mkdir(mode=0o711)
    with data_folder.locked(data), services.running(data, with_valkey=False):
        yield {"DATABASE_URL": services.database_url(data), "DATABASE_OWNER_URL": services.owner_url(data)}


@contextlib.contextmanager
def web(folder: Path, port: int, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A web process that is ready."""
    options = ("--host=127.0.0.1", f"--port={port}", "--no-access-log", "--no-proxy-headers")
    stop = ("--timeout-graceful-shutdown=3",)
    log = folder / f"web-{port}.log"
    with program(sys.executable, *UVICORN, *options, *stop, log=log, environment=environment) as process:
        until(lambda: answers(f"http://127.0.0.1:{port}/readyz"), f"web is not ready: see {log}")
        yield process


@contextlib.contextmanager
def worker(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    beat = ("beat", f"--schedule={folder / 'beat'}")
    with (
        program(
            sys.executable, *CELERY, "worker", *THREADS, *NO_PEERS, log=folder / "worker.log", environment=environment
        ),
        program(sys.executable, *CELERY, *beat, log=folder / "beat.log", environment=environment),
    ):
        yield


def answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=3).status_code == 200
    except httpx.HTTPError:
        return False
