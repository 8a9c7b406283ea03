"""One database server as a child process: start it and wait until it answers, detect that it ended, stop it."""

import contextlib
import logging
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from qwixx_service.embedded import orphaned_processes
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.run_as import process_options, run_as

logger = logging.getLogger(__name__)


@dataclass
class Server:
    """How to start, recognise and stop one server."""

    title: str
    argv: list[str | Path]
    folder: Path  # its working directory, by which orphaned processes are recognised
    log: Path
    answers: Callable[[], bool]
    reason: Callable[[str], str]  # picks the cause of a failed start out of the log
    stop_signals: tuple[tuple[signal.Signals, float], ...]  # sent in order, each with the seconds to wait after it
    programs: frozenset[str]
    stale_files: tuple[Path, ...] = ()
    disposable: Path | None = None  # data that the server may lose: set aside if the server cannot start with it
    process: "subprocess.Popen[bytes] | None" = field(default=None, init=False)

    def start(self, timeout: float = 120) -> None:
        """Return once the server answers, which after a crash takes as long as its recovery."""
        failure = self.attempt(timeout)
        if failure and self.disposable and self.disposable.exists():
            failure = self.start_without(self.disposable, failure, timeout)
        if failure:
            raise CannotStart(failure)

    def attempt(self, timeout: float) -> str | None:
        """Start the process; None once it answers, or why it ended before."""
        process = self.begin()
        deadline = time.monotonic() + timeout
        while not self.answers():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
                output = self.log.read_text(errors="replace")
                return failed_start(self.title, output, self.reason(output), self.folder.parent)
            if time.monotonic() > deadline:
                self.stop()
                raise CannotStart(f"{self.title} did not answer within {timeout:.0f} s; see {self.log}.")
        return None

    def start_without(self, data: Path, failure: str, timeout: float) -> str | None:
        """Try again with `data` renamed; if that fails too, the data was not the cause and gets its name back."""
        renamed = data.with_name(f"{data.name}.set_aside")
        shutil.rmtree(renamed, ignore_errors=True)
        data.rename(renamed)
        if failure_without := self.attempt(timeout):
            shutil.rmtree(data, ignore_errors=True)
            renamed.rename(data)
            return failure_without
        logger.warning("%s was renamed to %s, because with it %s.", data, renamed.name, failure)
        return None

    def begin(self) -> "subprocess.Popen[bytes]":
        """Start the process in its own session, so that Ctrl-C reaches only the supervisor; keep the previous log."""
        orphaned_processes.end(self.folder, self.programs, self.stop_signals[0][0], self.stale_files)
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.old"))
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(  # noqa: S603
                [*run_as().prefix, *map(str, self.argv)],
                cwd=self.folder,
                stdout=output,
                stderr=output,
                start_new_session=True,
                **process_options(self.stop_signals[0][0]),
            )
        return self.process

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def stop(self) -> None:
        if self.process is None:
            return
        for stop_signal, seconds in self.stop_signals:
            self.process.send_signal(stop_signal)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
                return


def failed_start(title: str, output: str, reason: str, data: Path) -> str:
    """One sentence about a server that did not start.

    >>> failed_start("PostgreSQL", "could not write file: No space left on device", "", Path("data"))
    'The disk that holds data is full: PostgreSQL cannot be used'
    """
    if "No space left on device" in output:
        return f"The disk that holds {data} is full: {title} cannot be used"
    return f"{title} cannot be used: {reason.rstrip('.') or 'it gave no reason'}"
