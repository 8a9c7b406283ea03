"""The rules for an image that need no engine: stages, user, file system, health check, and what is copied."""

import json
import re
from pathlib import Path

import pytest

from qwixx_service import settings
from tests.embedded.launcher import ROOT

Instruction = tuple[str, str]
FILES = (ROOT / "Dockerfile", ROOT / "deploy/postgres/Dockerfile")
by_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)


def instructions(file: Path) -> list[Instruction]:
    """Without comments, and with continued lines in one."""
    lines = [line for line in file.read_text().splitlines() if not line.lstrip().startswith("#")]
    text = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in text.splitlines() if line.strip()]


def arguments(file: Path, *names: str) -> list[str]:
    return [argument for name, argument in instructions(file) if name in names]


@by_file
def test_images_begin_with_a_fixed_version_and_fetch_nothing_by_add(file: Path) -> None:
    images = [argument.split()[0] for argument in arguments(file, "FROM")]
    assert [image for image in images if ":" not in image or image.endswith(":latest")] == []
    assert arguments(file, "ADD") == []
    assert not [line for line in arguments(file, "RUN") if re.search(r"\bsudo\b|curl .*\|\s*(ba)?sh", line)]


@by_file
def test_packages_of_debian_leave_no_lists_behind(file: Path) -> None:
    for line in arguments(file, "RUN"):
        if "apt-get install" in line:
            assert "--no-install-recommends" in line
            assert "--yes" in line
            assert "rm -rf /var/lib/apt/lists/*" in line


@by_file
def test_folders_of_work_are_absolute_and_everything_copied_exists(file: Path) -> None:
    assert all(folder.startswith("/") for folder in arguments(file, "WORKDIR"))
    copied = [line.split() for line in arguments(file, "COPY") if "--from=" not in line]
    sources = [word for words in copied for word in words[:-1] if not word.startswith("--")]
    assert sources
    assert [source for source in sources if not (file.parent / source).exists()] == []


def test_the_image_of_the_service_has_stages_no_root_and_a_health_check() -> None:
    file = FILES[0]
    names = [argument.split()[0] for argument in arguments(file, "USER")]
    assert names[-1].isdigit()
    assert int(names[-1]) > 0
    assert len(arguments(file, "FROM")) == 3
    stages = {argument.rpartition(" AS ")[2] for argument in arguments(file, "FROM")[:-1]}
    assert {re.findall(r"--from=(\w+)", line)[0] for line in arguments(file, "COPY") if "--from=" in line} <= stages
    assert "/readyz" in arguments(file, "HEALTHCHECK")[0]
    assert arguments(file, "STOPSIGNAL") == ["SIGTERM"]
    last = [name for name, _ in instructions(file)][::-1].index("FROM")
    assert not any("pip install" in line for name, line in instructions(file)[-last:] if name == "RUN")


def test_commands_are_lists_so_that_signals_reach_the_process() -> None:
    (command,) = arguments(FILES[0], "CMD")
    assert json.loads(command)[0] == "python"


def test_the_image_holds_every_package_that_the_settings_name() -> None:
    copied = " ".join(line for line in arguments(FILES[0], "COPY") if "--from=" not in line)
    ours = {app.partition(".")[0] for app in settings.INSTALLED_APPS if (ROOT / app.partition(".")[0]).is_dir()}
    ours |= {path.name for _, path in settings.STATICFILES_DIRS}
    assert {package for package in ours if not re.search(rf"\b{package}\b", copied)} == set()


def test_what_is_not_copied_is_not_sent_to_the_engine() -> None:
    ignored = set((ROOT / ".dockerignore").read_text().split())
    assert {".git", ".venv", ".data", "**/__pycache__", "tests"} <= ignored
