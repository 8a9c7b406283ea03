"""A whole service whose parts can be killed, stopped and cut off: servers, two web processes, worker and beat."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
from psycopg.conninfo import conninfo_to_dict

from qwixx_service.embedded import data_folder, orphaned_processes, postgres, services, valkey
from qwixx_service.embedded.process_list import CELERY, NO_PEERS, THREADS, UVICORN
from qwixx_service.embedded.run_as import ends_with_parent
from qwixx_service.embedded.server_process import Server
from tests.embedded.launcher import ROOT
from tests.faults.holding_proxy import HoldingProxy
from tests.streams.proxy import Proxy

DIRECT = ("--no-access-log", "--no-proxy-headers", "--timeout-graceful-shutdown=2", "--log-level=warning")
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
START_S = 60.0


class ServicePart:
    """One process of the service."""

    def __init__(
        self,
        name: str,
        argv: list[str],
        folder: Path,
        environment: dict[str, str],
        port: int = 0,
        source: Path = ROOT,
    ) -> None:
        self.name, self.port, self._source = name, port, source
        self._argv, self._environment, self._log = argv, environment, folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._argv,
                cwd=self._source,
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=ends_with_parent(signal.SIGKILL),
            )

    def signal(self, number: signal.Signals) -> None:
        """To the process and its children."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    async def kill(self) -> None:
        self.signal(signal.SIGKILL)
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)

    async def end(self) -> None:
        """As an upgrade does: the process answers what it has accepted."""
        self.signal(signal.SIGTERM)
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)

    async def is_ready(self) -> None:
        """Return when a web process serves."""
        async with asyncio.timeout(START_S), httpx.AsyncClient(timeout=2.0) as http:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    if (await http.get(f"{self.address}/readyz")).status_code == 200:
                        return
                await asyncio.sleep(0.1)

    def said(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""


class ChaosService:
    """PostgreSQL and Valkey in a folder, and four processes that reach them through proxies of ours."""

    def __init__(self, disk: Path, folder: Path, database: Server, redis: Server) -> None:
        self.disk, self.folder, self.database, self.redis = disk, folder, database, redis
        self.parts: dict[str, ServicePart] = {}
        self.lines: dict[str, HoldingProxy] = {}  # to PostgreSQL
        self.redis_lines: dict[str, Proxy] = {}
        self.clock = folder / "clock"  # what libfaketime adds to the time of the worker

    @property
    def webs(self) -> list[ServicePart]:
        return [self.parts["web-1"], self.parts["web-2"]]

    @property
    def environment(self) -> dict[str, str]:
        """Of a program that reaches the servers directly."""
        given = {"DATABASE_URL": services.database_url(self.disk), "DATABASE_OWNER_URL": services.owner_url(self.disk)}
        given |= {"REDIS_URL": services.redis_url(self.disk), "DATA_DIR": str(self.disk), "SECRET_KEY": "chaos" * 12}
        return {**os.environ, **given, "BOT_DELAY_S": "0.1,0.3", "WEB_SWEEPS": "on", "PYTHONPATH": str(ROOT)}

    def run(self, *arguments: str, source: Path = ROOT) -> subprocess.CompletedProcess[str]:
        """A program of Python that ends by itself."""
        command = [sys.executable, *arguments]
        return subprocess.run(
            command,
            cwd=source,
            env=self.environment | {"PYTHONPATH": str(source)},
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self.clock.write_text("+0")
        async with contextlib.AsyncExitStack() as stack:
            for name in ("web-1", "web-2"):
                self._add(name, await self._reached_by(name, stack), *web_command())
            worker = [sys.executable, *CELERY, "worker", "--loglevel=WARNING", *THREADS, *NO_PEERS]
            self._add("worker", self._with_clock(self.environment), worker)
            beat = [sys.executable, *CELERY, "beat", "--loglevel=WARNING", f"--schedule={self.folder / 'schedule'}"]
            self._add("beat", self.environment, beat)
            try:
                for part in self.parts.values():
                    part.start()
                await asyncio.gather(*(web.is_ready() for web in self.webs))
                yield
            finally:
                for part in self.parts.values():
                    await part.kill()

    async def _reached_by(self, name: str, stack: contextlib.AsyncExitStack) -> dict[str, str]:
        """The environment of a web process, whose lines to both servers lead through proxies."""
        line = await stack.enter_async_context(HoldingProxy(services.database_url(self.disk)).listening())
        redis_line = await stack.enter_async_context(Proxy(valkey.socket(self.disk)))
        self.lines[name], self.redis_lines[name] = line, redis_line
        parts = conninfo_to_dict(line.conninfo)
        url = f"postgresql://{parts['user']}@/{parts['dbname']}?host={parts['host']}&port={parts['port']}"
        redis_url = f"redis://127.0.0.1:{redis_line.port}/0"
        return self.environment | {"DATABASE_URL": url, "DATABASE_OWNER_URL": "", "REDIS_URL": redis_url}

    def _with_clock(self, environment: dict[str, str]) -> dict[str, str]:
        if not FAKETIME.exists():
            return environment
        moved = {"LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(self.clock), "FAKETIME_NO_CACHE": "1"}
        return environment | moved | {"FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def _add(self, name: str, environment: dict[str, str], argv: list[str], port: int = 0) -> None:
        self.parts[name] = ServicePart(name, argv, self.folder, environment, port)

    async def kill_server(self, server: Server) -> None:
        """With SIGKILL, every process of it."""
        assert server.process
        await asyncio.to_thread(orphaned_processes.end, server.folder, server.programs, signal.SIGKILL)
        await asyncio.to_thread(server.process.wait)

    async def start_server(self, server: Server) -> None:
        server.begin()  # from this thread, because the server ends with the thread that started it
        while not await asyncio.to_thread(server.answers):  # noqa: ASYNC110  (there is no event for it)
            await asyncio.sleep(0.05)


def web_command() -> tuple[list[str], int]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return [sys.executable, *UVICORN, *DIRECT, "--host=127.0.0.1", f"--port={port}"], port


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[bool]:
    """A file system of its own, which can be filled; False where none can be mounted."""
    mount = ["/bin/mount", "-t", "tmpfs", "-o", f"size={size}", "chaos", str(folder)]
    is_mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    folder.chmod(0o711)
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["/bin/umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def servers_on(disk: Path, folder: Path) -> Iterator[ChaosService]:
    with data_folder.locked(disk), services.running(disk) as (redis, database):
        assert database.programs == postgres.PROGRAMS
        service = ChaosService(disk, folder, database, redis)
        service.run("manage.py", "migrate", "--verbosity=0")
        yield service
