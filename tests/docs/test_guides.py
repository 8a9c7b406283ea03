"""The commands of the guides work as printed."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.timekeeping.celery_processes import beat, worker

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "guides"
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)
WITH_COMMANDS = sorted(path for path in GUIDES.glob("*.md") if "BASE=http://127.0.0.1:8000" in path.read_text())
WITH_A_WORKER = ["matchmaking"]
TAKES_A_SEAT = re.compile(r'"ruleset":|/accept"')
CODE = re.compile(r"```(?:sh|python)\n(.*?)```", re.DOTALL)
TASKS = ["first-game", "streams", "offline-and-resume", "matchmaking", "bots", "webhooks", "deletion"]


def run(guide: Path, server: str, folder: Path) -> None:
    script = "\n".join(SHELL.findall(guide.read_text())).replace("http://127.0.0.1:8000", server)
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"type":"/api/docs/errors' not in done.stdout.replace("#not_authenticated", ""), done.stdout


@pytest.mark.parametrize(
    "guide", [path for path in WITH_COMMANDS if path.stem not in WITH_A_WORKER], ids=lambda path: path.stem
)
def test_the_commands_of_a_guide_work(guide: Path, server: str, transactional_db: None, tmp_path: Path) -> None:
    run(guide, server, tmp_path)


@pytest.mark.parametrize("name", WITH_A_WORKER)
def test_the_commands_of_a_guide_work_with_a_worker(
    name: str, server: str, transactional_db: None, tmp_path: Path
) -> None:
    with worker(), beat(tmp_path):
        run(GUIDES / f"{name}.md", server, tmp_path)


@pytest.mark.parametrize("task", TASKS)
def test_a_task_has_a_guide_that_the_readme_links_once(task: str) -> None:
    readme = (GUIDES.parents[1] / "README.md").read_text()
    table = readme.partition("## Read on")[2]
    assert table.count(f"(docs/guides/{task}.md)") == 1


@pytest.mark.parametrize("guide", sorted(GUIDES.glob("*.md")), ids=lambda path: path.stem)
def test_an_example_that_takes_a_seat_announces_a_client_seed_and_gives_it(guide: Path) -> None:
    """The clients of the other examples do this by themselves."""
    code = "\n".join(CODE.findall(guide.read_text()))
    if TAKES_A_SEAT.search(code):
        assert re.search(r'"late_seed": (true|True)', code)
        assert "/seed" in code
