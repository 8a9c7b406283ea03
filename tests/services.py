"""A pytest plugin: a temporary PostgreSQL and Valkey for one run of the tests, unless their URLs are given."""

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from qwixx_service.embedded import data_folder
from qwixx_service.embedded import services as embedded

PREFIX = "qwixx-test-"
URLS = ("DATABASE_URL", "REDIS_URL")
OURS = "QWIXX_TEST_URLS"  # the URLs that the parent process of this one has set, and no user
# A killed run could not remove its folder: a folder this old whose lock is free belongs to such a run.
ABANDONED_AFTER = 60.0


class Services:
    """Named in the environment before Django reads its settings; started only when tests run.

    With `-n` every test process has its own services.
    """

    def __init__(self) -> None:
        self.given = {name for name in URLS if os.environ.get(name)} - {*os.environ.get(OURS, "").split()}
        remove_abandoned()
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
        # Servers that run as another user must be able to enter their own folders, which stay private.
        self.folder.chmod(0o711)

    def announce(self) -> None:
        os.environ["DATA_DIR"] = str(self.folder)
        os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "x" * 40)
        os.environ["BOT_DELAY_S"] = "0"
        os.environ["WEBHOOKS_ALLOW_LOOPBACK"] = "on"  # receivers of tests
        os.environ.setdefault("LOG_LEVEL", "WARNING")  # one line for each command of each test says little
        os.environ["WEB_SWEEPS"] = "off"  # a test that lets a deadline pass starts what enforces it
        urls = {"DATABASE_URL": embedded.superuser_url(self.folder), "REDIS_URL": embedded.redis_url(self.folder)}
        os.environ.update({name: url for name, url in urls.items() if name not in self.given})
        os.environ[OURS] = " ".join(name for name in URLS if name not in self.given)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        wanted = {"with_postgres": "DATABASE_URL" not in self.given, "with_valkey": "REDIS_URL" not in self.given}
        with data_folder.locked(self.folder), embedded.running(self.folder, throwaway=True, **wanted):
            yield

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def remove_abandoned() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, data_folder.CannotStart):
            if time.time() - (folder / "lock").stat().st_mtime > ABANDONED_AFTER:
                with data_folder.locked(folder):
                    shutil.rmtree(folder, ignore_errors=True)


services = pytest.StashKey[Services]()
ending = pytest.StashKey[contextlib.ExitStack]()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    """A wrapper runs before pytest-django, which reads the settings in the same hook."""
    mine = early_config.stash[services] = Services()
    early_config.add_cleanup(mine.remove)
    mine.announce()
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """No servers for `--help`, `--collect-only`, failed collections and the process that only distributes tests."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # unwinds and stops the servers
    if session.items and not session.config.option.collectonly:
        running = contextlib.ExitStack()
        session.config.stash[ending] = running
        running.enter_context(session.config.stash[services].running())


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Stop the servers after all fixtures, also when tests were interrupted."""
    try:
        return (yield)
    finally:
        with session.config.stash.get(ending, contextlib.ExitStack()):
            pass
