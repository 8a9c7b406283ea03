"""Whatever a stranger sends, the answer is one that the document names, and never a failure of ours."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.platform.served import Served

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# A stream has no end; and who logs himself out learns nothing more.
LEFT_OUT = ("streamEvents", "revokeSession", "revokeAllSessions", "revokeThisSession")
OPTIONS = ("--phases=examples,coverage,fuzzing", "--max-examples=8", "--seed=1", "--request-timeout=40")


@pytest.mark.timeout(300)
def test_generated_requests_get_documented_answers(ann: httpx.Client, service: Served, tmp_path: Path) -> None:
    game = ann.post("/api/v1/games", json={"ruleset": "qwixx", "seats": 2}).json()
    config = tmp_path / "schemathesis.toml"
    config.write_text(f'[parameters]\n"path.game_id" = "{game["id"]}"\n')
    logged = len(service.log.read_text())
    command = [sys.executable, "-m", "schemathesis.cli", f"--config-file={config}", "run"]
    left_out = [f"--exclude-operation-id={name}" for name in LEFT_OUT]
    token = f"--header=Authorization: {ann.headers['Authorization']}"
    run = subprocess.run(
        [*command, f"{service.address}/api/v1/openapi.json", token, f"--checks={CHECKS}", *OPTIONS, *left_out],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-1000:]
    assert "Authentication failed" not in run.stdout
    assert "Traceback" not in service.log.read_text()[logged:]
