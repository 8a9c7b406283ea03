"""Keeps the child processes (web, worker, beat) and the servers running, relays output, and ends all in order."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path

from qwixx_service.embedded.run_as import ends_with_parent
from qwixx_service.embedded.server_process import Server

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
# A child that ran this long had started well: after it the pause begins at its shortest again.
STABLE_AFTER = 60.0
LONGEST_LINE = 2**20

Say = Callable[[str, str], None]


@dataclass
class ChildProcess:
    """One process of the service: the command that starts it, and the seconds it may take to end."""

    name: str
    argv: list[str]
    stop_timeout: float
    inherited_files: tuple[int, ...] = ()
    process: asyncio.subprocess.Process | None = field(default=None, init=False)
    ending: asyncio.Event = field(default_factory=asyncio.Event, init=False)


async def keep_running(child: ChildProcess, cwd: Path, say: Say) -> None:
    """Start the process again each time it ends, after longer and longer pauses, until `ending` is set."""
    pause = FIRST_PAUSE
    while not child.ending.is_set():
        began = time.monotonic()
        try:
            status: int | str | None = await run_until_end(child, cwd, say)
        except OSError as error:
            status = error.strerror
        if child.ending.is_set():
            return
        pause = FIRST_PAUSE if time.monotonic() - began > STABLE_AFTER else pause
        say(child.name, f"ended with status {status}; starting again in {pause:g} s")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(child.ending.wait(), pause)
        pause = min(pause * 2, LONGEST_PAUSE)


async def run_until_end(child: ChildProcess, cwd: Path, say: Say) -> int:
    """Run the process once; when it ends, end the processes that it started."""
    child.process = process = await asyncio.create_subprocess_exec(
        *child.argv,
        cwd=cwd,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=LONGEST_LINE,
        pass_fds=child.inherited_files,
        start_new_session=True,
        preexec_fn=ends_with_parent(signal.SIGKILL),
    )
    output = asyncio.create_task(relay_output(process, child.name, say))
    status = await process.wait()
    signal_session(process, signal.SIGKILL)
    await output
    return status


async def relay_output(process: asyncio.subprocess.Process, name: str, say: Say) -> None:
    """Print every line with the name of its process before it."""
    while process.stdout:
        try:
            line = await process.stdout.readline()
        except ValueError:
            line = b"(a line too long to show)\n"
        if not line:
            return
        say(name, line.decode(errors="replace").rstrip())


def signal_session(process: asyncio.subprocess.Process, signal_: signal.Signals) -> None:
    """Signal the process and the processes that it started: it leads their session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal_)


async def end(child: ChildProcess, keeper: "asyncio.Task[None]") -> None:
    """Ask the process to end, and kill it after `stop_timeout`."""
    child.ending.set()
    if child.process and child.process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            child.process.terminate()
    done, _ = await asyncio.wait([keeper], timeout=child.stop_timeout)
    if not done and child.process:
        signal_session(child.process, signal.SIGKILL)
        await keeper


async def restart_when_ended(server: Server, say: Say) -> None:
    """Start a server again each time it ends; in the main thread, because a child ends with the thread it came from."""
    pause = FIRST_PAUSE
    while True:
        await asyncio.sleep(0.5)
        if server.has_ended():
            say("up", f"{server.title} ended; starting it again in {pause:g} s")
            await asyncio.sleep(pause)
            with contextlib.suppress(OSError):
                server.begin()
            is_up = await answers_or_ends(server)
            pause = FIRST_PAUSE if is_up else min(pause * 2, LONGEST_PAUSE)
            say("up", f"{server.title} answers again" if is_up else f"{server.title} failed; see {server.log}")


async def answers_or_ends(server: Server) -> bool:
    """Wait, without a limit because recovery may be long, until the server answers or has ended again."""
    while not server.has_ended():
        if server.answers():
            return True
        await asyncio.sleep(0.1)
    return False


async def supervise(
    children: list[ChildProcess], servers: list[Server], cwd: Path, say: Say, greeting: Coroutine[None, None, None]
) -> None:
    """Run until Ctrl-C or SIGTERM, then end the children in reverse order; the caller stops the servers."""
    ending = asyncio.Event()
    for signal_ in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signal_, ending.set)
    keepers = [(child, asyncio.create_task(keep_running(child, cwd, say))) for child in children]
    restarts = [asyncio.create_task(restart_when_ended(server, say)) for server in servers]
    others = [asyncio.create_task(greeting), *restarts]
    await ending.wait()
    say("up", "stopping")
    for task in others:
        task.cancel()
    for child, keeper in reversed(keepers):
        await end(child, keeper)
