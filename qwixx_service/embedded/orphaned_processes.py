"""Ends server processes that a killed run left; they are recognised by program and working directory."""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path


def end(
    folder: Path, programs: frozenset[str], stop_signal: signal.Signals, stale_files: tuple[Path, ...] = ()
) -> None:
    """Send `stop_signal` to every process of `programs` in `folder`, SIGKILL after five seconds; remove stale files."""
    with contextlib.ExitStack() as opened:
        remaining = []
        for pid in running_in(folder, programs):
            with contextlib.suppress(ProcessLookupError):
                # The descriptor keeps the process id from being reused; so the check is made again after opening it.
                descriptor = os.pidfd_open(pid)
                opened.callback(os.close, descriptor)
                if runs_in(pid, folder, programs):
                    remaining.append(descriptor)
        for signal_ in (stop_signal, signal.SIGKILL):
            remaining = still_running(remaining, signal_, seconds=5)
    if sys.platform == "linux":
        for path in stale_files:
            path.unlink(missing_ok=True)


def running_in(folder: Path, programs: frozenset[str]) -> Iterator[int]:
    """Linux only: on other systems no process is ended, and the server itself reports the conflict."""
    if sys.platform != "linux" or not folder.exists():
        return
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and runs_in(int(entry.name), folder, programs):
            yield int(entry.name)


def runs_in(pid: int, folder: Path, programs: frozenset[str]) -> bool:
    process = Path(f"/proc/{pid}")
    try:
        program = (process / "exe").readlink().name.removesuffix(" (deleted)")
        return program in programs and (process / "cwd").samefile(folder)
    except OSError:
        return False


def still_running(descriptors: list[int], signal_: signal.Signals, seconds: float) -> list[int]:
    """Send the signal; the processes that have not ended `seconds` later."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(descriptor, signal_)
    waiting = set(descriptors)
    while waiting and (ended := poll.poll(seconds * 1000)):
        for descriptor, _ in ended:
            poll.unregister(descriptor)
            waiting.remove(descriptor)
    return list(waiting)
