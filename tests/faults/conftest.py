"""A PostgreSQL of the faults' own, killed by its tests."""

from collections.abc import Iterator

import pytest

from qwixx_service.embedded.server_process import Server
from tests.killable_database import killable_database


@pytest.fixture(scope="package")
def postgres() -> Iterator[tuple[str, Server]]:
    with killable_database() as running:
        yield running
