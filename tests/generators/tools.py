"""Installs the generators into `.tools/`, each with its exact version; run as a program, it says what is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from clients.build import node_folder

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".tools"
PROGRAMS = FOLDER / "node_modules" / ".bin"
PYTHON = FOLDER / "python" / "bin" / "python"
JAR = "import openapi_generator_cli as cli, pathlib; print(pathlib.Path(cli.__file__).parent / 'openapi-generator.jar')"

# No lock file: those of npm hold the addresses from which packages were downloaded.
NPM = (
    "@asyncapi/parser@3.6.3",
    "@hey-api/openapi-ts@0.99.0",
    "@redocly/cli@2.77.0",
    "@stoplight/spectral-cli@6.16.3",
    "openapi-typescript@7.13.0",
    "quicktype@26.0.0",
    "typescript@5.9.3",
)
PYPI = (
    "mypy==2.4.1",
    "openapi-generator-cli==7.26.0",
    "openapi-python-client==0.29.1",
    "tree-sitter==0.26.0",
    "tree-sitter-dart==0.1.0",
    "tree-sitter-kotlin==1.1.0",
    "tree-sitter-swift==0.7.4",
)


def missing() -> dict[str, str]:
    """What this machine lacks, and which generators are skipped for it."""
    lacks = {}
    if node_folder() is None:
        lacks["node"] = "Node.js with npm is missing: no generator for TypeScript, no quicktype, no linter"
    if shutil.which("java") is None:
        lacks["java"] = "Java 11 or later is missing: no openapi-generator (Kotlin, Swift, Dart)"
    return lacks


def run(*command: str | Path, cwd: Path = FOLDER, timeout: float = 300) -> str:
    """The output of a program; a program that fails raises an error with all that it said."""
    folders = [str(PROGRAMS), *([str(node_folder())] if node_folder() else []), os.environ.get("PATH", "")]
    environment = {**os.environ, "PATH": os.pathsep.join(folders), "NO_COLOR": "1", "REDOCLY_TELEMETRY": "off"}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout + done.stderr


def jar() -> str:
    """The program of openapi-generator, which its package on PyPI contains."""
    return run(PYTHON, "-c", JAR).strip()


def install() -> None:
    """Nothing if these versions are installed."""
    FOLDER.mkdir(exist_ok=True)
    listed, wanted = FOLDER / "installed.txt", "\n".join([*NPM, *PYPI])
    if listed.exists() and listed.read_text() == wanted:
        return
    run(sys.executable, "-m", "venv", "--clear", FOLDER / "python")
    run(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", PYTHON, *PYPI)
    node = node_folder()
    if node:
        (FOLDER / "package.json").write_text("{}")
        run(*_npm(node), "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", *NPM, timeout=580)
    listed.write_text(wanted)


def _npm(node: Path) -> list[str | Path]:
    package = node.parent / "lib/node_modules/npm/bin/npm-cli.js"
    return [node / "node", package] if package.exists() else [node / "npm"]


def main() -> None:
    print(f"Installing the generators into {FOLDER.name}/ (once; about two minutes)", flush=True)  # noqa: T201
    install()
    for reason in missing().values():
        print(reason, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
