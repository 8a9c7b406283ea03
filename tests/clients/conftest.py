"""The clients, built from the copy of the OpenAPI document in docs/."""

import subprocess
import sys
from pathlib import Path

import pytest

from clients.build import MISSING, node_folder
from tests.api.conftest import ann, bob, new_player

__all__ = ["ann", "bob", "new_player"]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def typescript() -> Path:
    """The folder of the TypeScript client, built."""
    if node_folder() is None:
        pytest.skip(MISSING)
    built = subprocess.run(
        [sys.executable, "-m", "clients.build", "typescript"], cwd=ROOT, capture_output=True, text=True, timeout=200
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return ROOT / "clients/typescript"
