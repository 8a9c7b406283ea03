"""The data folder: its lock, its secret key, its free space, and the path of its sockets."""

import contextlib
import fcntl
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

# The kernel's limit for the path of a socket is 108 bytes on Linux and 104 on macOS, including the final zero byte.
LONGEST_SOCKET_PATH = 103
LONGEST_SOCKET_NAME = "/.s.PGSQL.5432"


class CannotStart(SystemExit):
    """One sentence for the user; if it is not caught, the process prints it and ends with status 1."""


@contextlib.contextmanager
def file_errors(data: Path) -> Iterator[None]:
    """Turn an error of the file system into one sentence."""
    try:
        yield
    except OSError as error:
        raise CannotStart(f"The data folder {data} cannot be used: {error.strerror or error}.") from None


def require_space(data: Path, megabytes: int) -> None:
    """Fail before a server would, with a clear sentence."""
    free = shutil.disk_usage(data).free // 2**20
    if free < megabytes:
        raise CannotStart(
            f"The disk that holds {data} is full: {free} MB are free, at least {megabytes} MB are needed."
        )


@contextlib.contextmanager
def locked(data: Path) -> Iterator[None]:
    """Allow one run per folder; the kernel releases the lock when its process ends, even when it is killed."""
    with file_errors(data):
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
        with file_errors(data):
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
        yield


def secret_key(data: Path) -> str:
    """The key that is stored with the data, readable only by its owner; created on first use."""
    path = data / "secret_key"
    with file_errors(data):
        if not path.exists():
            data.mkdir(parents=True, exist_ok=True)
            draft = data / f".secret_key.{os.getpid()}"
            write_private(draft, secrets.token_urlsafe(48))
            # If several processes create a key at once, the first link stays and all processes read that key.
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
            draft.unlink()
        return path.read_text()


def write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)


def sockets(data: Path) -> Path:
    """The folder of the sockets: `run` in the data folder, or a short link to it if its path is too long for a socket.

    The link's name depends on the data folder alone, so that every process computes the same one.
    """
    run = data / "run"
    is_plain = not set(str(run)) & set(',"')  # PostgreSQL and libpq read these as a list
    if is_plain and len(os.fsencode(run)) + len(LONGEST_SOCKET_NAME) <= LONGEST_SOCKET_PATH:
        return run
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path("/tmp", f"qwixx-{name}")  # noqa: S108  (`socket_link` accepts only a link of ours)


@contextlib.contextmanager
def socket_link(data: Path) -> Iterator[None]:
    """Create the short link to the sockets, if one is needed, until the end of the block."""
    link, run = sockets(data), data / "run"
    if link == run:
        yield
        return
    with contextlib.suppress(FileExistsError):
        link.symlink_to(run)
    if not link.is_symlink() or link.lstat().st_uid != os.geteuid() or link.readlink() != run:
        raise CannotStart(f"{link} is in the way: remove it, or choose a DATA_DIR with a shorter path.")
    try:
        yield
    finally:
        link.unlink(missing_ok=True)
