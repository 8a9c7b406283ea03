"""Keeps the roles (web, worker, beat) running as child processes with prefixed logs, and ends them; knows no Django."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path

from qwixx_service.embedded.run_as import dies_with_us
from qwixx_service.embedded.server_process import Server

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
# A child that lasted this long was well: whatever ended it, the next pause is the first again.
WELL_AFTER = 60.0
LONGEST_LINE = 2**20

Say = Callable[[str, str], None]


@dataclass
class Role:
    """One child process: `argv` starts it, `patience` is how long it may take to end."""

    name: str
    argv: list[str]
    patience: float
    inherits: tuple[int, ...] = ()
    process: asyncio.subprocess.Process | None = field(default=None, init=False)
    ending: asyncio.Event = field(default_factory=asyncio.Event, init=False)


async def keep_running(role: Role, cwd: Path, say: Say) -> None:
    """Starts the role, again and again with longer and longer pauses, until it is told to end."""
    pause = FIRST_PAUSE
    while not role.ending.is_set():
        began = time.monotonic()
        try:
            status: int | str | None = await run_once(role, cwd, say)
        except OSError as refusal:
            status = refusal.strerror
        if role.ending.is_set():
            return
        pause = FIRST_PAUSE if time.monotonic() - began > WELL_AFTER else pause
        say(role.name, f"ended with status {status}; starting again in {pause:g} s")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(role.ending.wait(), pause)
        pause = min(pause * 2, LONGEST_PAUSE)


async def run_once(role: Role, cwd: Path, say: Say) -> int:
    """One life of the process, and of those it started in turn."""
    role.process = process = await asyncio.create_subprocess_exec(
        *role.argv,
        cwd=cwd,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=LONGEST_LINE,
        pass_fds=role.inherits,
        start_new_session=True,
        preexec_fn=dies_with_us(signal.SIGKILL),
    )
    lines = asyncio.create_task(relay(process, role.name, say))
    status = await process.wait()
    signal_all(process, signal.SIGKILL)
    await lines
    return status


async def relay(process: asyncio.subprocess.Process, name: str, say: Say) -> None:
    """Every line with its role before it, so that three logs can be read as one."""
    while process.stdout:
        try:
            line = await process.stdout.readline()
        except ValueError:
            line = b"(a line too long to show)\n"
        if not line:
            return
        say(name, line.decode(errors="replace").rstrip())


def signal_all(process: asyncio.subprocess.Process, signal_: signal.Signals) -> None:
    """To the whole session that the process leads: a worker has processes of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal_)


async def end(role: Role, keeper: "asyncio.Task[None]") -> None:
    """Asks the role to end; one that does not within its patience is killed."""
    role.ending.set()
    if role.process and role.process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            role.process.terminate()
    done, _ = await asyncio.wait([keeper], timeout=role.patience)
    if not done and role.process:
        signal_all(role.process, signal.SIGKILL)
        await keeper


async def revive(server: Server, say: Say) -> None:
    """Starts a server again whenever it died. In the loop's own thread: children die with the thread they came from."""
    pause = FIRST_PAUSE
    while True:
        await asyncio.sleep(0.5)
        if server.has_died():
            say("up", f"{server.title} ended; starting it again in {pause:g} s")
            await asyncio.sleep(pause)
            with contextlib.suppress(OSError):
                server.begin()
            answers = await settled(server)
            pause = FIRST_PAUSE if answers else min(pause * 2, LONGEST_PAUSE)
            say("up", f"{server.title} answers again" if answers else f"{server.title} failed; see {server.log}")


async def settled(server: Server) -> bool:
    """Once it answers, or is seen to have died again. Recovery may take its time, and we must hear Ctrl-C meanwhile."""
    while not server.has_died():
        if server.answers():
            return True
        await asyncio.sleep(0.1)
    return False


async def supervise(
    roles: list[Role], servers: list[Server], cwd: Path, say: Say, greeting: Coroutine[None, None, None]
) -> None:
    """Runs all until Ctrl-C or TERM, then ends the roles in reverse order; the servers are their owner's to stop."""
    ending = asyncio.Event()
    for signal_ in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signal_, ending.set)
    keepers = [(role, asyncio.create_task(keep_running(role, cwd, say))) for role in roles]
    beside = [asyncio.create_task(greeting), *(asyncio.create_task(revive(server, say)) for server in servers)]
    await ending.wait()
    say("up", "stopping")
    for task in beside:
        task.cancel()
    for role, keeper in reversed(keepers):
        await end(role, keeper)
