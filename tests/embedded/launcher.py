"""Runs `manage.py up`, the embedded servers alone, or any program as a real process, and reads its output."""

import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
UP = (sys.executable, "manage.py", "up")
# Both servers in the folder that DATA_DIR names, until TERM.
ONLY_SERVERS = """
import os, pathlib, signal, sys
from qwixx_service.embedded import data_folder, services
data = pathlib.Path(os.environ["DATA_DIR"])
with data_folder.locked(data), services.running(data):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    print("ready", flush=True)
    signal.pause()
"""
SERVERS = (sys.executable, "-c", ONLY_SERVERS)
TIMEOUT_S = 60.0


def environment(data: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """The environment without the addresses of the tests' own servers, as on a new machine."""
    removed = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY", "EMBEDDED_BINARIES", "LOG_LEVEL")
    kept = {name: value for name, value in os.environ.items() if name not in removed}
    return kept | {"DATA_DIR": str(data), "PORT": "0", "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)} | dict(extra)


class LaunchedProgram:
    """One process with its output; at the end of the block it and its descendants are ended."""

    def __init__(self, argv: tuple[str, ...], data: Path, **extra: str) -> None:
        self.lines: list[str] = []
        self.unread: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.process = subprocess.Popen(
            argv,
            cwd=ROOT,
            env=environment(data, extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.append(line.rstrip("\n"))
            self.unread.put(self.lines[-1])
        self.unread.put(None)

    def wait_for(self, text: str) -> str:
        """The next line that contains the text."""
        deadline = time.monotonic() + TIMEOUT_S
        with contextlib.suppress(queue.Empty):
            while (line := self.unread.get(timeout=max(0.01, deadline - time.monotonic()))) is not None:
                if text in line:
                    return line
        raise AssertionError(f"{text!r} was not printed, but: {self.lines}")

    @property
    def home(self) -> str:
        """The address that the service prints; waits until it is printed."""
        printed = [line for line in self.lines if "ready on" in line] or [self.wait_for("ready on")]
        return printed[0].split("ready on ")[1].rstrip("/")

    def end(self, number: signal.Signals) -> float:
        """Send the signal; the seconds until the process ended."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(TIMEOUT_S)
        return time.monotonic() - began

    def family(self) -> set[int]:
        return descendants(self.process.pid)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            family = self.family()
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(15)
            kill(family | {self.process.pid})
        self.process.wait(TIMEOUT_S)
        self.reader.join(TIMEOUT_S)
        if self.process.stdout:
            self.process.stdout.close()


def refusal(argv: tuple[str, ...], data: Path, **extra: str) -> str:
    """The one sentence that a failed start prints."""
    with LaunchedProgram(argv, data, **extra) as program:
        assert program.process.wait(TIMEOUT_S) == 1
        program.reader.join(TIMEOUT_S)
        sentence = program.lines[-1]
        assert "Traceback" not in "".join(program.lines)
        assert all(line.startswith("up     | ") for line in program.lines[:-1])
        return sentence


def descendants(pid: int) -> set[int]:
    found = children(pid)
    return found.union(*map(descendants, found))


def children(pid: int) -> set[int]:
    return {process for process, parent in parents() if parent == pid}


def parents() -> Iterator[tuple[int, int]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # The second field is the program's name in brackets and may contain anything, also brackets.
                yield int(entry.name), int((entry / "stat").read_text().rpartition(")")[2].split()[1])


def kill(pids: set[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert ended(pids)


def ended(pids: set[int], seconds: float = 10) -> bool:
    """Whether all processes end within the time."""
    deadline = time.monotonic() + seconds
    for pid in pids:
        with contextlib.suppress(ProcessLookupError), opened(pid) as descriptor:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            if not poll.poll(max(0, deadline - time.monotonic()) * 1000):
                return False
    return True


@contextlib.contextmanager
def opened(pid: int) -> Iterator[int]:
    descriptor = os.pidfd_open(pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def running(pids: set[int], programs: frozenset[str]) -> set[int]:
    """The processes among `pids` that run one of the programs."""
    found = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/exe").readlink().name in programs:
                found.add(pid)
    return found
