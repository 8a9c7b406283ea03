"""The documents agree with the code."""

import re
from pathlib import Path

import pytest

from games.management.commands.document_events import document
from games.rules.registry import RULESETS

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("clients/*/*.md")])


def test_the_list_of_events_is_generated_from_the_code() -> None:
    assert (ROOT / "docs/events.md").read_text() == document(), "run: manage.py document_events > docs/events.md"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_and_every_named_file_exists(path: Path) -> None:
    text = path.read_text()
    links = [target.split("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text) if "://" not in target]
    assert [target for target in links if target and not (path.parent / target).exists()] == []
    named = re.findall(
        r"`((?:bench|games|players|qwixx_service|requirements|tests|docs)/[\w./]+\.(?:py|md|sql|txt))`", text
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_test_that_the_rules_name_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs/rules.md").read_text()))
    written = {name for path in ROOT.glob("tests/**/*.py") for name in re.findall(r"def (test_\w+)", path.read_text())}
    assert named
    assert named - written == set()


def test_every_make_target_that_the_documents_name_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for path in DOCUMENTS for name in re.findall(r"`(?:[A-Z_]+=\S+ )*make ([a-z]+)", path.read_text())}
    assert named - targets == set()


def test_the_change_log_has_the_current_version() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_readme_names_every_game() -> None:
    readme = (ROOT / "README.md").read_text().lower()
    assert [key for key in RULESETS if key not in readme] == []
