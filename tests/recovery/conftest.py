"""The settings of the processes of these tests, and a Valkey for them."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from qwixx_service.embedded import data_folder, services


@pytest.fixture
def folder() -> Iterator[Path]:
    """Short, for the names of sockets, and open to the user that servers run as."""
    with tempfile.TemporaryDirectory(prefix="qwixx-recovery-", dir="/tmp", ignore_cleanup_errors=True) as name:
        path = Path(name)
        path.chmod(0o711)
        yield path


@pytest.fixture
def settings_of_processes(folder: Path) -> Iterator[dict[str, str]]:
    """All but the address of the database."""
    data = folder / "data"
    data.mkdir(mode=0o711)
    with data_folder.locked(data), services.running(data, with_postgres=False):
        yield {
            "DATA_DIR": str(data),
            "REDIS_URL": services.redis_url(data),
            "SECRET_KEY": "only-for-tests-" + "x" * 40,
            "WEB_SWEEPS": "on",
            "LOG_LEVEL": "WARNING",
        }
