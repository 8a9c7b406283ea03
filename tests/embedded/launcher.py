"""Starts `manage.py up`, and smaller programs on the same footing, as the real processes they are; and watches them."""

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
with data_folder.held(data), services.running(data):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    print("ready", flush=True)
    signal.pause()
"""
SERVERS = (sys.executable, "-c", ONLY_SERVERS)
PATIENCE = 60.0


def environment(data: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """Ours without what the tests' own servers put there: a newcomer's machine has none of it."""
    taken = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "EMBEDDED_BINARIES")
    kept = {name: value for name, value in os.environ.items() if name not in taken}
    return kept | {"DATA_DIR": str(data), "PORT": "0", "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)} | dict(extra)


class Program:
    """One process with its output; on leaving the block nothing that it started is left."""

    def __init__(self, argv: tuple[str, ...], data: Path, **extra: str) -> None:
        self.lines: list[str] = []
        self.fresh: queue.SimpleQueue[str | None] = queue.SimpleQueue()
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
            self.fresh.put(self.lines[-1])
        self.fresh.put(None)

    def wait_for(self, text: str) -> str:
        """The next line that has this text in it."""
        until = time.monotonic() + PATIENCE
        with contextlib.suppress(queue.Empty):
            while (line := self.fresh.get(timeout=max(0.01, until - time.monotonic()))) is not None:
                if text in line:
                    return line
        raise AssertionError(f"{text!r} was never said; said was: {self.lines}")

    @property
    def home(self) -> str:
        """The address that was printed; waits for it where it was not yet."""
        said = [line for line in self.lines if "ready on" in line] or [self.wait_for("ready on")]
        return said[0].split("ready on ")[1].rstrip("/")

    def end(self, number: signal.Signals) -> float:
        """How long it took to end after the signal."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
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
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()


def refusal(argv: tuple[str, ...], data: Path, **extra: str) -> str:
    """The one sentence of a start that does not come off."""
    with Program(argv, data, **extra) as program:
        assert program.process.wait(PATIENCE) == 1
        program.reader.join(PATIENCE)
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
                # The name in the second field may hold anything; what follows its last bracket may not.
                yield int(entry.name), int((entry / "stat").read_text().rpartition(")")[2].split()[1])


def kill(pids: set[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert ended(pids)


def ended(pids: set[int], seconds: float = 10) -> bool:
    """Whether all of them are gone, now or within the time."""
    until = time.monotonic() + seconds
    for pid in pids:
        with contextlib.suppress(ProcessLookupError), opened(pid) as descriptor:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            if not poll.poll(max(0, until - time.monotonic()) * 1000):
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
    """Those of the processes that run one of these programs."""
    found = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/exe").readlink().name in programs:
                found.add(pid)
    return found
