"""The data folder: what lies where in it, who holds it, and its secret key; starts nothing."""

import contextlib
import fcntl
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

# The kernel's limit for the path of a socket is 108 bytes on Linux and 104 on macOS, its closing zero included.
LONGEST_SOCKET_PATH = 103
LONGEST_SOCKET_NAME = "/.s.PGSQL.5432"


class CannotStart(SystemExit):
    """One clear sentence for whoever started us: uncaught, it ends the process with that sentence and status 1."""


@contextlib.contextmanager
def refusals(data: Path) -> Iterator[None]:
    """What the file system refuses, as one sentence."""
    try:
        yield
    except OSError as refusal:
        raise CannotStart(f"The data folder {data} cannot be used: {refusal.strerror or refusal}.") from None


def need_room(data: Path, megabytes: int) -> None:
    """Says so before a server fails halfway."""
    free = shutil.disk_usage(data).free // 2**20
    if free < megabytes:
        raise CannotStart(
            f"The disk that holds {data} is full: {free} MB are free, at least {megabytes} MB are needed."
        )


@contextlib.contextmanager
def held(data: Path) -> Iterator[None]:
    """One run at a time: the kernel lets go of the lock when its holder ends, however it ends."""
    with refusals(data):
        data.mkdir(parents=True, exist_ok=True)
        lock = (data / "lock").open("a+")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CannotStart(
                f"The data folder {data} is in use by another run (process {lock.read() or '?'}); "
                "stop that one first, or choose another folder with DATA_DIR."
            ) from None
        with refusals(data):
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
        yield


def secret_key(data: Path) -> str:
    """Made once and kept with the data; readable by nobody else."""
    kept = data / "secret_key"
    with refusals(data):
        if not kept.exists():
            data.mkdir(parents=True, exist_ok=True)
            draft = data / f".secret_key.{os.getpid()}"
            write_private(draft, secrets.token_urlsafe(48))
            # Of several processes that come first together one wins, and all read the winner's.
            with contextlib.suppress(FileExistsError):
                os.link(draft, kept)
            draft.unlink()
        return kept.read_text()


def write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)


def sockets(data: Path) -> Path:
    """The folder of the sockets: `run` in the data folder, or a short link to it where that is too deep for a socket.

    The link has a fixed place, named by the data folder, so that every process finds it without being told.
    """
    run = data / "run"
    is_plain = not set(str(run)) & set(',"')  # PostgreSQL and libpq read these as a list
    if is_plain and len(os.fsencode(run)) + len(LONGEST_SOCKET_NAME) <= LONGEST_SOCKET_PATH:
        return run
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path("/tmp", f"qwixx-{name}")  # noqa: S108  (only a link of our own is followed: see `reached`)


@contextlib.contextmanager
def reached(data: Path) -> Iterator[None]:
    """Makes the sockets' folder reachable by its short name, for as long as it is needed."""
    short, run = sockets(data), data / "run"
    if short == run:
        yield
        return
    with contextlib.suppress(FileExistsError):
        short.symlink_to(run)
    if not short.is_symlink() or short.lstat().st_uid != os.geteuid() or short.readlink() != run:
        raise CannotStart(f"{short} is in the way: remove it, or choose a DATA_DIR that is less deep.")
    try:
        yield
    finally:
        short.unlink(missing_ok=True)
