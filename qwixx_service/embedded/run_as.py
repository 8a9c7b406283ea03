"""Which user a server runs as (never root), its environment, and that it ends with the process that started it."""

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
class RunAs:
    """The current user; or, for root, the user `nobody` in a user namespace (`prefix`) or directly (`uid`, `gid`)."""

    prefix: tuple[str, ...] = ()
    uid: int | None = None
    gid: int | None = None


@cache
def run_as() -> RunAs:
    """PostgreSQL refuses to run as root.

    In a user namespace the files stay root's, so no folder changes its owner. The user is `nobody` because `initdb`
    needs a user with a name on this machine.
    """
    if os.geteuid() != 0:
        return RunAs()
    user = pwd.getpwnam("nobody")
    if unshare := shutil.which("unshare"):
        prefix = (unshare, "--user", f"--map-user={user.pw_uid}", f"--map-group={user.pw_gid}", "--")
        if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:  # noqa: S603
            return RunAs(prefix)
    return RunAs((), user.pw_uid, user.pw_gid)


def inaccessible_folder(folder: Path) -> Path | None:
    """The folder itself or a parent that the servers' user may not enter, if there is one."""
    if run_as().uid is None:
        return None
    path = (folder, *folder.parents)
    return next((step for step in path if not step.stat().st_mode & 0o001 and step.stat().st_uid != run_as().uid), None)


def own(folder: Path) -> None:
    """Give a folder of ours, and its contents, to the user that the servers run as now."""
    uid = os.geteuid() if run_as().uid is None else run_as().uid
    gid = os.getegid() if run_as().gid is None else run_as().gid
    if uid is None or gid is None or folder.stat().st_uid == uid:
        return
    # The folder itself last: if this process is killed before, the next start sees that it is not done.
    for path in (*folder.rglob("*"), folder):
        os.chown(path, uid, gid, follow_symlinks=False)


class ProcessOptions(TypedDict):
    """Arguments of `subprocess.Popen` for every process of a server."""

    env: dict[str, str]
    user: int | None
    group: int | None
    extra_groups: list[int] | None
    preexec_fn: Callable[[], None]
    stdin: int


def process_options(on_parent_end: signal.Signals) -> ProcessOptions:
    """The environment without variables that configure PostgreSQL or name a locale that may not exist here."""
    user = run_as()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {
        "env": kept | {"LC_ALL": "C", "TZ": "UTC"},
        "user": user.uid,
        "group": user.gid,
        "extra_groups": None if user.uid is None else [],
        "preexec_fn": ends_with_parent(on_parent_end),
        "stdin": subprocess.DEVNULL,
    }


def run_once(argv: list[str | Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a short command as the servers' user; returns its output."""
    return subprocess.run(  # noqa: S603
        [*run_as().prefix, *map(str, argv)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        **process_options(signal.SIGKILL),
    )


def ends_with_parent(signal_: signal.Signals) -> Callable[[], None]:
    """For `preexec_fn`: the kernel sends the child `signal_` when the thread that started it ends, even by SIGKILL.

    Because it is the thread that counts, only a thread that lasts as long as the child may start it.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    parent = os.getpid()

    def request_signal() -> None:
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, int(signal_))
        if os.getppid() != parent:
            os._exit(1)

    return request_signal
