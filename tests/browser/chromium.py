"""Finds Chromium for the tests of the page, or installs Debian's package when it is run as a program."""

import os
import shutil
import subprocess

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("chromium", "fonts-dejavu-core")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
MISSING = "The tests of the page need Chromium: apt-get install chromium as root, or name one: CHROMIUM=/path/to/it"


def found() -> str | None:
    """The path in CHROMIUM, or the first browser on the PATH."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def install() -> str | None:
    """Install Chromium with apt. None: not Debian, not root, or no network."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    quiet = {"DEBIAN_FRONTEND": "noninteractive", **os.environ}
    for command in (["apt-get", "-q", "update"], ["apt-get", "-qy", "install", "--no-install-recommends", *PACKAGES]):
        if subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL).returncode:
            return None
    return found()


def main() -> None:
    """Install Chromium, or print what is missing and succeed: most tests need no browser."""
    if not found():
        print("Installing Chromium for the tests of the page (once)", flush=True)  # noqa: T201
        if not install():
            print(MISSING, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
