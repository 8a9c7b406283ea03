"""The embedded PostgreSQL: makes its data and says how it is started, on a socket only; knows no table."""

import shutil
import signal
from pathlib import Path
from urllib.parse import quote

import psycopg

from qwixx_service.embedded import binaries, data_folder, orphaned_processes
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.run_as import own, run_once
from qwixx_service.embedded.server_process import Server, reason

TITLE = "PostgreSQL"
DATABASE = "qwixx"
PORT = 5432  # no TCP port: part of the socket's name
PROGRAMS = frozenset({"postgres", "postmaster"})
# Given at every start and not kept with the data, so that older data gets newer settings too.
SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "log_min_messages": "warning",
}
LASTING = {"fsync": "on", "synchronous_commit": "on"}
THROWAWAY = {"fsync": "off", "full_page_writes": "off"}
# A fast stop ends sessions and writes a checkpoint; should that take too long, the next start recovers.
FAREWELLS = ((signal.SIGINT, 1.75), (signal.SIGQUIT, 0.5), (signal.SIGKILL, 0.5))


def url(data: Path, database: str = DATABASE) -> str:
    """Read alike by libpq and by Django; the port is told because PGPORT would otherwise be asked."""
    return f"postgresql://postgres@/{database}?host={quote(str(data_folder.sockets(data)))}&port={PORT}"


def prepared(data: Path, *, throwaway: bool) -> Server:
    """A server for the data in the folder, made first where there is none, by the major version that made it."""
    folder = data / "postgres"
    orphaned_processes.end(data / "postgres.new", PROGRAMS | {"initdb"}, signal.SIGKILL)
    made_by = major_of(folder)
    programs = binaries.postgres(made_by, data)
    if made_by is None:
        make(programs.bin / "initdb", folder, throwaway=throwaway)
    data_folder.need_room(data, 48)
    own(folder)
    settings = SETTINGS | (THROWAWAY if throwaway else LASTING)
    given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    sockets = data_folder.sockets(data)
    argv: list[str | Path] = [programs.bin / "postgres", "-D", folder, "-k", sockets, *given]
    # After a crash PostgreSQL would take any process that has its old number by now for itself, and refuse to start.
    stale = (folder / "postmaster.pid", sockets / f".s.PGSQL.{PORT}.lock")
    return Server(TITLE, argv, folder, data / "postgres.log", lambda: answers(data), FAREWELLS, PROGRAMS, stale)


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
    data_folder.need_room(folder.parent, 128)
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
        with psycopg.connect(url(data, "postgres"), autocommit=True, connect_timeout=5) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE}")
            return True
    except psycopg.OperationalError:
        return False
