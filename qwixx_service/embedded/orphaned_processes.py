"""Ends what a killed run left behind, and no other process: ours is known by its program and the folder it works in."""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path


def end(folder: Path, programs: frozenset[str], farewell: signal.Signals, stale: tuple[Path, ...] = ()) -> None:
    """`farewell` to every one of `programs` at work in `folder`, after five seconds the kill; then `stale` files go."""
    with contextlib.ExitStack() as opened:
        left = []
        for pid in at_work(folder, programs):
            with contextlib.suppress(ProcessLookupError):
                # The descriptor pins the process; checked again through it, a reused number cannot be hit.
                descriptor = os.pidfd_open(pid)
                opened.callback(os.close, descriptor)
                if works_in(pid, folder, programs):
                    left.append(descriptor)
        for signal_ in (farewell, signal.SIGKILL):
            left = outlasting(left, signal_, seconds=5)
    if sys.platform == "linux":
        for path in stale:
            path.unlink(missing_ok=True)


def at_work(folder: Path, programs: frozenset[str]) -> Iterator[int]:
    """Elsewhere than on Linux nobody can be recognised, so nobody is ended: the server itself says what is wrong."""
    if sys.platform != "linux" or not folder.exists():
        return
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and works_in(int(entry.name), folder, programs):
            yield int(entry.name)


def works_in(pid: int, folder: Path, programs: frozenset[str]) -> bool:
    process = Path(f"/proc/{pid}")
    try:
        program = (process / "exe").readlink().name.removesuffix(" (deleted)")
        return program in programs and (process / "cwd").samefile(folder)
    except OSError:
        return False


def outlasting(descriptors: list[int], signal_: signal.Signals, seconds: float) -> list[int]:
    """Those that are still there some time after the signal."""
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
