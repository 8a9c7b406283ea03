"""deploy/upgrade.sh: what it asks Docker for, and in which order."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.embedded.launcher import ROOT

# Writes down its arguments; it knows of two containers of web.
DOCKER = """#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in *"ps --quiet web") printf 'one\\ntwo\\n' ;; esac
case "$*" in $FAILS) exit 1 ;; esac
"""


@pytest.fixture
def docker(tmp_path: Path) -> Path:
    program = tmp_path / "docker"
    program.write_text(DOCKER)
    program.chmod(0o755)
    return tmp_path


def calls(folder: Path, status: int = 0, fails: str = "never", **given: str) -> list[str]:
    environment = {**os.environ, **given, "PATH": f"{folder}:{os.environ['PATH']}", "CALLS": f"{folder}/calls"}
    done = subprocess.run(["sh", ROOT / "deploy/upgrade.sh"], env=environment | {"FAILS": fails}, check=False)
    assert done.returncode == status
    return (folder / "calls").read_text().splitlines()


def test_web_processes_are_replaced_one_by_one_after_the_migration(docker: Path) -> None:
    made = calls(docker)
    web = "compose up --detach --no-deps --no-recreate --wait web"
    assert made[:2] == ["compose build", "compose run --rm --no-deps migrate"]
    assert made[-6:] == ["stop one", "rm one", web, "stop two", "rm two", web]


def test_nothing_is_replaced_when_the_migration_fails(docker: Path) -> None:
    made = calls(docker, 1, "*migrate")
    assert made == ["compose build", "compose run --rm --no-deps migrate"]


def test_the_second_process_plays_on_when_the_first_new_one_is_not_ready(docker: Path) -> None:
    assert "stop two" not in calls(docker, 1, "*--wait web")


def test_a_second_machine_migrates_nothing(docker: Path) -> None:
    made = calls(docker, SECOND="1")
    assert not [call for call in made if "migrate" in call or "beat" in call]
    assert all("--file deploy/nodes/second.yml" in call for call in made if call.startswith("compose"))
