"""The embedded PostgreSQL: how its data is created, how it is started on a Unix socket only, why a start failed."""

import re
import shutil
import signal
from pathlib import Path
from urllib.parse import quote

import psycopg

from qwixx_service.embedded import binaries, data_folder, orphaned_processes
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.run_as import own, run_once
from qwixx_service.embedded.server_process import Server, failed_start

TITLE = "PostgreSQL"
DATABASE = "qwixx"
SUPERUSER, OWNER, SERVICE = "postgres", "qwixx_owner", "qwixx_service"  # the roles: decision 21
PORT = 5432  # part of the socket's name; no TCP port is opened
PROGRAMS = frozenset({"postgres", "postmaster"})
# Passed at every start and not stored with the data, so that older data gets newer settings too.
SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "log_min_messages": "warning",
}
DURABLE = {"fsync": "on", "synchronous_commit": "on"}
THROWAWAY = {"fsync": "off", "full_page_writes": "off"}
# SIGINT is PostgreSQL's fast shutdown with a checkpoint; if that takes too long, the next start recovers.
STOP_SIGNALS = ((signal.SIGINT, 1.75), (signal.SIGQUIT, 0.5), (signal.SIGKILL, 0.5))
ROLES = Path(__file__).with_name("roles.sql")
ERROR = re.compile(r"(?:FATAL|PANIC|ERROR|error): +(.+)")


def url(data: Path, role: str = SERVICE, database: str = DATABASE) -> str:
    """An address that libpq and Django read alike, with the port, so that PGPORT is not used."""
    return f"postgresql://{role}@/{database}?host={quote(str(data_folder.sockets(data)))}&port={PORT}"


def prepared(data: Path, *, throwaway: bool) -> Server:
    """The server for the data in the folder, of the major version that created it; creates the data if missing."""
    folder = data / "postgres"
    orphaned_processes.end(data / "postgres.new", PROGRAMS | {"initdb"}, signal.SIGKILL)
    made_by = major_of(folder)
    programs = binaries.postgres(made_by, data)
    if made_by is None:
        initialise(programs.bin / "initdb", folder, throwaway=throwaway)
    data_folder.require_space(data, 48)
    own(folder)
    settings = SETTINGS | (THROWAWAY if throwaway else DURABLE)
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    sockets = data_folder.sockets(data)
    return Server(
        title=TITLE,
        argv=[programs.bin / "postgres", "-D", folder, "-k", sockets, *options],
        folder=folder,
        log=data / "postgres.log",
        answers=lambda: answers(data),
        reason=reason,
        stop_signals=STOP_SIGNALS,
        programs=PROGRAMS,
        # After a crash PostgreSQL refuses to start if any process has the number that these files name.
        stale_files=(folder / "postmaster.pid", sockets / f".s.PGSQL.{PORT}.lock"),
    )


def major_of(folder: Path) -> int | None:
    """The major version that created the data, from PostgreSQL's own file."""
    try:
        return int((folder / "PG_VERSION").read_text())
    except FileNotFoundError:
        return None
    except ValueError:
        raise CannotStart(f"{folder}/PG_VERSION is not PostgreSQL's: move the folder away to begin anew.") from None


def initialise(initdb: Path, folder: Path, *, throwaway: bool) -> None:
    """Create the data under another name and rename it, so that a killed start leaves nothing incomplete.

    The locale is C because every PostgreSQL has it, on every machine and in every wheel.
    """
    data_folder.require_space(folder.parent, 128)
    draft = folder.with_name("postgres.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    own(draft)
    options = [f"--username={SUPERUSER}", "--auth=trust", "--encoding=UTF8", "--locale=C"]
    made = run_once([initdb, "-D", draft, *options, *(["--no-sync"] if throwaway else [])], cwd=draft)
    if made.returncode != 0:
        shutil.rmtree(draft, ignore_errors=True)
        raise CannotStart(failed_start(TITLE, made.stdout, reason(made.stdout), folder.parent))
    draft.rename(folder)


def answers(data: Path) -> bool:
    """Whether it accepts connections; creates the service's database and its roles where they are missing."""
    try:
        with psycopg.connect(url(data, SUPERUSER, "postgres"), autocommit=True, connect_timeout=5) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE}")
        with psycopg.connect(url(data, SUPERUSER), connect_timeout=5) as connection:
            connection.execute(ROLES.read_bytes())
        return True
    except psycopg.OperationalError:
        return False


def reason(output: str) -> str:
    """The first error in the log, or its last line.

    >>> reason("2026-11-18 08:00:00 UTC [1] LOG:  x\\n2026-11-18 08:00:00 UTC [1] FATAL:  could not create lock file")
    'could not create lock file'
    """
    if error := ERROR.search(output):
        return error[1]
    return (output.strip().splitlines() or [""])[-1]
