"""Who a server runs as, and what surrounds it: never root, and never longer than the process that started it."""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Guise:
    """Ourselves; or, for root, `nobody` in a user namespace (`prefix`), or `nobody` itself (`uid`, `gid`)."""

    prefix: tuple[str, ...] = ()
    uid: int | None = None
    gid: int | None = None


@cache
def guise() -> Guise:
    """PostgreSQL refuses to run as root, and nothing needs it to.

    In a user namespace the files stay root's own, so no folder changes hands. `nobody`, because `initdb` must find the
    user's name on the machine.
    """
    if os.geteuid() != 0:
        return Guise()
    nobody = pwd.getpwnam("nobody")
    if unshare := shutil.which("unshare"):
        prefix = (unshare, "--user", f"--map-user={nobody.pw_uid}", f"--map-group={nobody.pw_gid}", "--")
        if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:  # noqa: S603
            return Guise(prefix)
    return Guise((), nobody.pw_uid, nobody.pw_gid)


def closed_to_us(folder: Path) -> Path | None:
    """The folder on the way to this one that lets the servers' user not through, if there is one."""
    if guise().uid is None:
        return None
    way = (folder, *folder.parents)
    return next((step for step in way if not step.stat().st_mode & 0o001 and step.stat().st_uid != guise().uid), None)


def own(folder: Path) -> None:
    """Gives a folder that we made, and what is in it, to whoever the servers run as now."""
    uid = os.geteuid() if guise().uid is None else guise().uid
    gid = os.getegid() if guise().gid is None else guise().gid
    if uid is None or gid is None or folder.stat().st_uid == uid:
        return
    # The folder itself last: should we be killed halfway, the next start sees that it is not done.
    for path in (*folder.rglob("*"), folder):
        os.chown(path, uid, gid, follow_symlinks=False)


class Surroundings(TypedDict):
    """What every process of a server is started with."""

    env: dict[str, str]
    user: int | None
    group: int | None
    extra_groups: list[int] | None
    preexec_fn: Callable[[], None]
    stdin: int


def surroundings(farewell: signal.Signals) -> Surroundings:
    """Nothing of ours that would quietly reconfigure PostgreSQL or ask for a locale the machine may not have."""
    me = guise()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {
        "env": kept | {"LC_ALL": "C", "TZ": "UTC"},
        "user": me.uid,
        "group": me.gid,
        "extra_groups": None if me.uid is None else [],
        "preexec_fn": dies_with_us(farewell),
        "stdin": subprocess.DEVNULL,
    }


def run_once(argv: list[str | Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    """A short command as the servers' user, to its end, with everything it said."""
    return subprocess.run(  # noqa: S603
        [*guise().prefix, *map(str, argv)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        **surroundings(signal.SIGKILL),
    )


def dies_with_us(farewell: signal.Signals) -> Callable[[], None]:
    """What a child does before it becomes its program: it asks the kernel for `farewell` when we end, however we end.

    "We" is the thread that starts it: only a thread that lasts may start one.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    parent = os.getpid()

    def ask() -> None:
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, int(farewell))
        if os.getppid() != parent:
            os._exit(1)

    return ask
