"""The verifiers as programs: alone in a folder, as in the README, and as the service serves them."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.verifier.both_verifiers import NODE
from tests.verifier.exports import GOLDEN

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = {"verify.py": sys.executable, "verify.js": NODE}
README = (ROOT / "README.md").read_text()
every_program = pytest.mark.parametrize("program", PROGRAMS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the verifiers and an export, and nothing of the service."""
    for program in PROGRAMS:
        shutil.copy(ROOT / "verifier" / program, tmp_path)
    (tmp_path / "good.ndjson").write_bytes(GOLDEN["two-play-qwinto"])
    (tmp_path / "bad.ndjson").write_bytes(GOLDEN["two-play-qwinto"].replace(b'"roll": 3', b'"roll": 4'))
    return tmp_path


def run(folder: Path, program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [PROGRAMS[program], program, *arguments]
    return subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, timeout=60, check=False)


@every_program
def test_a_valid_game_gives_a_report_and_exit_status_zero(program: str, folder: Path) -> None:
    done = run(folder, program, "good.ndjson")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Everything that can be checked is correct.\n")


@every_program
def test_a_forged_game_gives_its_first_bad_version_and_another_exit_status(program: str, folder: Path) -> None:
    done = run(folder, program, "bad.ndjson")
    rolls = [json.loads(line) for line in GOLDEN["two-play-qwinto"].splitlines()[1:]]
    version = next(event["version"] for event in rolls if event["data"].get("roll") == 3)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"BAD at version {version} (chain)" in done.stdout


@every_program
def test_a_noted_hash_that_is_missing_is_reported(program: str, folder: Path) -> None:
    done = run(folder, program, "good.ndjson", "00" * 32)
    assert done.returncode == 1
    assert "does not contain the noted hash" in done.stdout


@every_program
@pytest.mark.parametrize("arguments", [(), ("none.ndjson",)])
def test_the_program_without_a_file_prints_its_usage(program: str, arguments: tuple[str, ...], folder: Path) -> None:
    done = run(folder, program, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip()) > 20
    assert "Traceback" not in done.stderr


def test_both_programs_print_the_same(folder: Path) -> None:
    for export in ("good.ndjson", "bad.ndjson"):
        assert run(folder, "verify.py", export).stdout == run(folder, "verify.js", export).stdout


def test_the_python_file_imports_the_standard_library_only() -> None:
    tree = ast.parse((ROOT / "verifier" / "verify.py").read_text())
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in named} <= sys.stdlib_module_names


def test_the_javascript_file_imports_nothing_in_a_browser_and_evaluates_no_text() -> None:
    source = (ROOT / "verifier" / "verify.js").read_text()
    code = re.sub(r"//.*", "", source)
    assert set(re.findall(r"\bimport\(\"([^\"]+)\"\)", code)) == {"node:fs/promises", "node:url", "node:fs"}
    assert not re.findall(r"^import\b|\beval\(|new Function|require\(|innerHTML", code, re.MULTILINE)


def test_the_commands_of_the_readme_verify_a_game(server: str, transactional_db: None, tmp_path: Path) -> None:
    examples = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    script = "\n".join(example for example in examples if "/players/guests" in example or "verifier/verify" in example)
    assert script.count("verifier/verify") == 3
    script = script.replace("http://127.0.0.1:8000", server).replace("game.ndjson", str(tmp_path / "game.ndjson"))
    path = f"{Path(NODE).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", script],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.count("Everything that can be checked is correct.") == 3
    assert "its seed is still secret" in done.stdout


@every_program
def test_the_service_serves_the_verifier(program: str, server: str) -> None:
    answer = httpx.get(f"{server}/static/verifier/{program}")
    assert answer.content == (ROOT / "verifier" / program).read_bytes()
    if program.endswith(".js"):
        assert answer.headers["content-type"].split(";")[0] == "text/javascript"
