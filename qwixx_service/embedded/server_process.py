"""A server process of ours: started until it answers, started again if it dies, stopped; knows no kind of server."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from qwixx_service.embedded import orphaned_processes
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.run_as import guise, surroundings


@dataclass
class Server:
    """`title` is for people; `folder` is where it works; `farewells` end it, the first kindly, the last surely."""

    title: str
    argv: list[str | Path]
    folder: Path
    log: Path
    answers: Callable[[], bool]
    farewells: tuple[tuple[signal.Signals, float], ...]
    programs: frozenset[str]
    stale: tuple[Path, ...] = ()
    process: "subprocess.Popen[bytes] | None" = field(default=None, init=False)

    def start(self, patience: float = 120) -> None:
        """Returns once it answers, or says why it never will. Recovery after a crash may take its time."""
        process = self.begin()
        until = time.monotonic() + patience
        while not self.answers():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
                raise CannotStart(reason(self.title, self.log.read_text(errors="replace"), self.folder.parent))
            if time.monotonic() > until:
                self.stop()
                raise CannotStart(f"{self.title} did not answer within {patience:.0f} s; see {self.log}.")

    def begin(self) -> "subprocess.Popen[bytes]":
        """In a session of its own: Ctrl-C is for us to hear. What the last run wrote stays beside the new log."""
        orphaned_processes.end(self.folder, self.programs, self.farewells[0][0], self.stale)
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.old"))
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(  # noqa: S603
                [*guise().prefix, *map(str, self.argv)],
                cwd=self.folder,
                stdout=output,
                stderr=output,
                start_new_session=True,
                **surroundings(self.farewells[0][0]),
            )
        return self.process

    def has_died(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def stop(self) -> None:
        if self.process is None:
            return
        for farewell, patience in self.farewells:
            self.process.send_signal(farewell)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
                return


def reason(title: str, output: str, data: Path) -> str:
    """One sentence out of what a server said before it gave up.

    >>> reason("Valkey", "Starting.\\n# Fatal error: bad file format", Path("data"))
    'Valkey cannot be used: # Fatal error: bad file format'
    >>> reason("PostgreSQL", "could not write file: No space left on device", Path("data"))
    'The disk that holds data is full: PostgreSQL cannot be used.'
    """
    if "No space left on device" in output:
        return f"The disk that holds {data} is full: {title} cannot be used."
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "error" in line.lower()]
    return f"{title} cannot be used: {(telling or lines or ['it gave no reason'])[0]}"
