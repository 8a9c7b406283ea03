"""Data folders for real runs: short, open to whoever the servers run as, and gone afterwards."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run.launcher import UP, Program


@contextlib.contextmanager
def fresh_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="qwixx-run-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture
def data() -> Iterator[Path]:
    with fresh_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def up() -> Iterator[Program]:
    """One running service for all tests of a file that leave it running."""
    with fresh_folder() as folder, Program(UP, folder) as program:
        program.wait_for("ready on")
        yield program
