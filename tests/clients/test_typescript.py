"""The TypeScript client against the running service: its own tests, run by Node.js, with and without a WebSocket."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.clients.languages import WITHOUT_SOCKET, node

# The first test of a run also waits for the build.
pytestmark = [
    pytest.mark.xdist_group("clients"),
    pytest.mark.usefixtures("transactional_db"),
    pytest.mark.timeout(240),
]


def passed(folder: Path, server: str, *options: str, names: str = "*") -> int:
    """How many tests passed; all must."""
    files = [str(path) for path in sorted((folder / "dist/tests").glob(f"{names}.test.js"))]
    done = subprocess.run(
        [*node(*options), "--test", "--test-reporter=tap", "--test-timeout=60000", *files],
        cwd=folder,
        env={**os.environ, "QWIXX_URL": server},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, "\n".join(re.findall(r"^not ok .*?\.\.\.$", done.stdout, re.MULTILINE | re.DOTALL))
    (count,) = re.findall(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    return int(count)


def test_whole_games_come_once_through_cuts(typescript: Path, server: str) -> None:
    assert passed(typescript, server) == 24


def test_the_client_works_where_there_is_no_websocket(typescript: Path, server: str) -> None:
    assert passed(typescript, server, *WITHOUT_SOCKET, names="streams") == 12
