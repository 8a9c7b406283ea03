"""The choice of the Python for a new .venv."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "requirements" / "fastest_python.py"
NAME = f"python{sys.version_info.major}.{sys.version_info.minor}"


def chosen(folder: Path, trial: str) -> str:
    """The choice if the PATH has a Python that answers the trial with this shell command."""
    fake = folder / NAME
    fake.write_text(f"#!/bin/sh\n{trial}\n")
    fake.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, str(SCRIPT)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_a_faster_python_is_chosen(tmp_path: Path) -> None:
    assert chosen(tmp_path, "echo '0.000001 True /there/python'") == "/there/python"


@pytest.mark.parametrize("trial", ["exit 1", "echo '0.000001 False /there/python'", "echo '9.9 True /there/python'"])
def test_a_python_that_is_broken_slower_or_of_another_version_is_not_chosen(tmp_path: Path, trial: str) -> None:
    python = chosen(tmp_path, trial)
    version = subprocess.run(
        [python, "-c", "import sys, venv; print(sys.version_info[:2])"], capture_output=True, check=True
    )
    assert version.stdout.decode().strip() == str(sys.version_info[:2])
