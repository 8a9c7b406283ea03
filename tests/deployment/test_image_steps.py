"""The steps of the Dockerfile without an engine: an empty environment, the files that it copies, and its command.

It takes minutes and downloads packages: `make deployment` runs it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.embedded.launcher import ROOT
from tests.recovery.conftest import folder, settings_of_processes
from tests.recovery.processes import answers, database_of_our_own, free_port, manage, program, until

__all__ = ["folder", "settings_of_processes"]
pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif("DEPLOYMENT" not in os.environ, reason="takes minutes: make deployment"),
]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def step(*argv: str | Path, cwd: Path) -> None:
    done = subprocess.run(
        [*map(str, argv)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_steps_of_the_image_give_a_service_that_serves(folder: Path, settings_of_processes: dict[str, str]) -> None:
    venv, app = folder / "venv", folder / "app"
    options = re.findall(r"pip install (.+?) --requirement", re.sub(r"\\\n\s*", "", DOCKERFILE))[0].split()
    step(sys.executable, "-m", "venv", venv, cwd=folder)
    step(venv / "bin/pip", "install", *options, "--requirement", ROOT / "requirements/service.txt", cwd=folder)
    step(venv / "bin/pip", "uninstall", "--yes", "--quiet", "pip", "setuptools", cwd=folder)
    copied = re.findall(r"^COPY (\S+) (\S+)$", DOCKERFILE, re.MULTILINE)
    for source, target in ((source, target) for source, target in copied if source != "requirements/"):
        into = app / (source if target == "./" else target)
        into.parent.mkdir(exist_ok=True)
        shutil.copytree(ROOT / source, into) if (ROOT / source).is_dir() else shutil.copy(ROOT / source, into)
    step(venv / "bin/python", "-m", "compileall", "-q", "-j", "0", app, venv, cwd=folder)
    with database_of_our_own(folder) as database:
        given = settings_of_processes | database
        manage("migrate", "--verbosity=0", environment=given)
        serve(venv, app, folder, given)


def serve(venv: Path, app: Path, folder: Path, given: dict[str, str]) -> None:
    """With the command of the image, on another port."""
    port = free_port()
    command = json.loads(re.findall(r"^CMD (.+)$", DOCKERFILE, re.MULTILINE)[-1])
    command[0] = str(venv / "bin/python")
    command += ["--host=127.0.0.1", f"--port={port}"]  # the last one counts
    environment = given | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(app), "LOG_FORMAT": "json"}
    log = folder / "image.log"
    with program(*command, log=log, environment=environment):
        until(lambda: answers(f"http://127.0.0.1:{port}/readyz"), f"the image is not ready: {log.read_text()}")
        page = httpx.get(f"http://127.0.0.1:{port}/", timeout=20)
        assert page.status_code == 200
        assert httpx.get(f"http://127.0.0.1:{port}/static/verifier/verify.py", timeout=20).status_code == 200
        assert httpx.get(f"http://127.0.0.1:{port}/admin/login/", timeout=20).status_code == 200
