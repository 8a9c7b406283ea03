"""How a server process is started, recognised, watched and ended; knows neither PostgreSQL nor Valkey nor Django."""

import contextlib
import ctypes
import os
import pwd
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PR_SET_PDEATHSIG = 1
LINUX = sys.platform == "linux"


class CannotStart(SystemExit):
    """One clear sentence for whoever started us: uncaught, it ends the process with that sentence and status 1."""


@dataclass(frozen=True)
class Guise:
    """Who a server runs as: PostgreSQL refuses to run as root, and nothing needs it to."""

    prefix: tuple[str, ...] = ()
    uid: int | None = None
    gid: int | None = None


@cache
def guise() -> Guise:
    """Ourselves, unless we are root: then `nobody`, in a user namespace where the machine allows one.

    In the namespace files stay root's own, so no folder changes hands. The name must be one that the machine knows:
    `initdb` looks it up.
    """
    if os.geteuid() != 0:
        return Guise()
    nobody = pwd.getpwnam("nobody")
    unshare = shutil.which("unshare")
    if unshare:
        prefix = (unshare, "--user", f"--map-user={nobody.pw_uid}", f"--map-group={nobody.pw_gid}", "--")
        if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:  # noqa: S603
            return Guise(prefix)
    return Guise((), nobody.pw_uid, nobody.pw_gid)


def own(folder: Path) -> None:
    """Gives a folder that we made, and what is in it, to whoever the servers run as."""
    uid, gid = guise().uid, guise().gid
    wanted = os.geteuid() if uid is None else uid
    if folder.stat().st_uid == wanted:
        return
    for path in (folder, *folder.rglob("*")):
        os.chown(path, wanted, os.getegid() if gid is None else gid, follow_symlinks=False)


def surroundings() -> dict[str, str]:
    """The environment of a server: ours, without what would quietly reconfigure PostgreSQL or ask for a locale."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C", "TZ": "UTC"}


def dies_with_us(farewell: signal.Signals) -> Callable[[], None]:
    """What a child does before it becomes its program: asks the kernel for `farewell` when the thread that started it
    ends, even by `kill -9`."""
    libc = ctypes.CDLL(None, use_errno=True) if LINUX else None
    parent = os.getpid()

    def ask() -> None:
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, farewell)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def run_once(argv: list[str | Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    """A short command as the servers' user, to its end, with everything it said."""
    me = guise()
    return subprocess.run(  # noqa: S603
        [*me.prefix, *map(str, argv)],
        cwd=cwd,
        env=surroundings(),
        user=me.uid,
        group=me.gid,
        extra_groups=None if me.uid is None else [],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        preexec_fn=dies_with_us(signal.SIGKILL),
    )


@dataclass
class Server:
    """A running server of ours: `title` for people, `log` where it writes."""

    title: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Returns when `ready`, or says why it never will be."""
        for _ in range(int(seconds / 0.05)):
            if ready():
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.05)
                raise CannotStart(explain(self.title, self.log))
        self.stop(signal.SIGKILL)
        raise CannotStart(f"{self.title} was not ready within {seconds:.0f} s; see {self.log}.")

    def stop(self, *farewells: signal.Signals, seconds: float = 3) -> None:
        """Each farewell in turn, the last of them without a time limit."""
        for farewell in farewells[:-1]:
            self.process.send_signal(farewell)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
                return
        self.process.send_signal(farewells[-1])
        self.process.wait()


def launch(title: str, argv: list[str | Path], cwd: Path, log: Path, farewell: signal.Signals) -> Server:
    """A server in a session of its own (Ctrl-C is for us to hear), ended by `farewell` if we are killed."""
    me = guise()
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603
            [*me.prefix, *map(str, argv)],
            cwd=cwd,
            env=surroundings(),
            user=me.uid,
            group=me.gid,
            extra_groups=None if me.uid is None else [],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=dies_with_us(farewell),
        )
    return Server(title, process, log)


def explain(title: str, log: Path) -> str:
    return reason(title, log.read_text(errors="replace"), log.parent)


def reason(title: str, output: str, folder: Path) -> str:
    """One sentence out of what a server said before it gave up."""
    if "No space left on device" in output:
        return f"The disk that holds {folder} is full: {title} cannot start."
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "error" in line.lower()] or lines or ["it gave no reason"]
    return f"{title} did not start: {telling[0]}"


def end_leftovers(folder: Path, programs: set[str], farewell: signal.Signals) -> None:
    """Ends what a killed run left behind: only processes that are one of `programs` and work in this very folder."""
    with contextlib.ExitStack() as opened:
        left = {}
        for pid in running_in(folder, programs):
            with contextlib.suppress(ProcessLookupError):
                # The descriptor pins the process, so a recycled number can never be hit.
                descriptor = os.pidfd_open(pid)
                opened.callback(os.close, descriptor)
                if works_in(pid, folder, programs):
                    left[descriptor] = pid
        for step in (farewell, signal.SIGKILL):
            left = outlasting(left, step, seconds=5)


def outlasting(left: dict[int, int], farewell: signal.Signals, seconds: float) -> dict[int, int]:
    """Sends `farewell` to all and returns those still there after a while."""
    for descriptor in left:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(descriptor, farewell)
    waiting = dict(left)
    poll = select.poll()
    for descriptor in waiting:
        poll.register(descriptor, select.POLLIN)
    while waiting and (ended := poll.poll(seconds * 1000)):
        for descriptor, _ in ended:
            poll.unregister(descriptor)
            del waiting[descriptor]
    return waiting


def running_in(folder: Path, programs: set[str]) -> Iterator[int]:
    if not LINUX or not folder.exists():
        return
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and works_in(int(entry.name), folder, programs):
            yield int(entry.name)


def works_in(pid: int, folder: Path, programs: set[str]) -> bool:
    process = Path(f"/proc/{pid}")
    try:
        program = (process / "exe").readlink().name.removesuffix(" (deleted)")
        return program in programs and (process / "cwd").samefile(folder)
    except OSError:
        return False
