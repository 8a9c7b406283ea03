"""Temporary data folders, with short paths that the servers' user may enter, and a running service."""

import contextlib
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedded.launcher import SERVERS, UP, LaunchedProgram


@contextlib.contextmanager
def fresh_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="qwixx-run-", dir="/tmp"))
    folder.chmod(0o711)
    try:
        yield folder / "data"
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def data() -> Iterator[Path]:
    with fresh_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def made() -> Iterator[Path]:
    with fresh_folder() as folder, LaunchedProgram(SERVERS, folder) as servers:
        servers.wait_for("ready")
        servers.end(signal.SIGTERM)
        yield folder


@pytest.fixture
def used(data: Path, made: Path) -> Path:
    """A data folder that was used by one run."""
    return Path(shutil.copytree(made, data))


@pytest.fixture(scope="module")
def up() -> Iterator[LaunchedProgram]:
    """One running service for all tests of a module."""
    with fresh_folder() as folder, LaunchedProgram(UP, folder) as program:
        program.wait_for("ready on")
        program.wait_for("/admin/")  # the last line of the greeting
        yield program
