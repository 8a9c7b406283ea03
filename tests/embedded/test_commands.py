"""Management commands say what to do if the database cannot be reached."""

import subprocess
import sys
from pathlib import Path

from tests.embedded.launcher import ROOT, environment


def test_a_command_without_a_database_says_what_to_start_and_to_set(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "verify_log"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(tmp_path, {}), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    said = done.stderr
    assert "The database cannot be reached. Start the service (make run), or set DATA_DIR or DATABASE_URL" in said
    assert "Traceback" not in said
