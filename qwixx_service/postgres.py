"""The embedded PostgreSQL: makes its data, starts it on a socket and stops it; knows no table."""

import shutil
import signal
from pathlib import Path

import psycopg

from qwixx_service import binaries, datafolder
from qwixx_service.processes import CannotStart, Server, end_leftovers, launch, own, reason, run_once

TITLE = "PostgreSQL"
DATABASE = "qwixx"
# Given at every start and not kept in the data, so that older data gets newer settings too.
SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "synchronous_commit": "on",
    "log_min_messages": "warning",
}
THROWAWAY = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


def url(data: Path) -> str:
    from urllib.parse import quote

    return f"postgresql://postgres@/{DATABASE}?host={quote(str(datafolder.sockets(data)))}&port={SETTINGS['port']}"


def start(data: Path, *, throwaway: bool) -> Server:
    folder = data / "postgres"
    end_leftovers(folder, {"postgres", "postmaster"}, signal.SIGQUIT)
    made_by = major_of(folder)
    programs = binaries.postgres(made_by, data)
    if made_by is None:
        make(programs.bin / "initdb", folder, throwaway=throwaway)
    datafolder.need_room(data, 48)
    own(folder)
    server = launch(
        TITLE, command(programs.bin, data, throwaway=throwaway), folder, data / "postgres.log", signal.SIGINT
    )
    server.wait_until(lambda: answers(data), seconds=120)
    return server


def command(programs: Path, data: Path, *, throwaway: bool) -> list[str | Path]:
    settings = SETTINGS | (THROWAWAY if throwaway else {"fsync": "on"})
    given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    return [programs / "postgres", "-D", data / "postgres", "-k", datafolder.sockets(data), *given]


def stop(server: Server) -> None:
    """A fast stop ends sessions and writes a checkpoint; should that take too long, the next start recovers."""
    server.stop(signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)


def major_of(folder: Path) -> int | None:
    """The major version that made the data, as PostgreSQL itself wrote it down."""
    try:
        return int((folder / "PG_VERSION").read_text())
    except FileNotFoundError:
        return None
    except ValueError:
        raise CannotStart(f"{folder}/PG_VERSION is not PostgreSQL's: move the folder away to begin anew.") from None


def make(initdb: Path, folder: Path, *, throwaway: bool) -> None:
    """Made aside and renamed: a start that is killed in between leaves nothing half made under the real name.

    The locale is C: every PostgreSQL has it, whatever the machine or the wheel was built with.
    """
    datafolder.need_room(folder.parent, 128)
    draft = folder.with_name("postgres.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    own(draft)
    options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]
    made = run_once([initdb, "-D", draft, *options, *(["--no-sync"] if throwaway else [])], cwd=draft)
    if made.returncode != 0:
        shutil.rmtree(draft, ignore_errors=True)
        raise CannotStart(reason(TITLE, made.stdout, folder.parent))
    draft.rename(folder)


def answers(data: Path) -> bool:
    """True once it takes connections; makes our database where it is missing."""
    try:
        with psycopg.connect(
            url(data).replace(f"/{DATABASE}?", "/postgres?"), autocommit=True, connect_timeout=5
        ) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE}")
            return True
    except psycopg.OperationalError:
        return False
