"""The PostgreSQL and the Redis of the service: checks given addresses, or starts embedded servers in a data folder."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import psycopg
import redis
from psycopg.conninfo import conninfo_to_dict

from players.redis_servers import redis_addresses
from qwixx_service.embedded import data_folder, postgres, valkey
from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.run_as import inaccessible_folder, own
from qwixx_service.embedded.server_process import Server

NOT_POSTGRES = "{} is not the address of a PostgreSQL database: it looks like postgresql://user:password@host:5432/name"
NOT_REDIS = (
    "{} is not the address of a Redis or Valkey server: it looks like redis://host:6379/0, unix:///path/of/socket, "
    "redis+sentinel://host:26379,host:26379/name/0 or redis+cluster://host:6379,host:6379"
)
NO_CLUSTER = "Celery cannot use a Redis cluster: give the broker of tasks a server of its own in BROKER_URL."
database_url = postgres.url
redis_url = valkey.url


def owner_url(data: Path) -> str:
    """The role that owns the tables of the embedded PostgreSQL, and migrates them."""
    return postgres.url(data, postgres.OWNER)


def superuser_url(data: Path) -> str:
    """The role that created the embedded PostgreSQL; the tests and the benchmarks use it."""
    return postgres.url(data, postgres.SUPERUSER)


def checked_database_url(url: str, setting: str = "DATABASE_URL") -> str:
    """The same address; the error does not quote it, because it may hold a password.

    >>> checked_database_url("postgresql://me@/games?host=/run&port=5432")
    'postgresql://me@/games?host=/run&port=5432'
    >>> checked_database_url("postgresql://me@one:5432,two:5432/games?target_session_attrs=read-write")[-10:]
    'read-write'
    """
    try:
        parts = conninfo_to_dict(url)
        is_valid = urlsplit(url).scheme in ("postgresql", "postgres") and bool(parts.get("dbname"))
        is_valid = is_valid and all(0 < int(port) < 2**16 for port in str(parts.get("port") or 5432).split(","))
    except (ValueError, psycopg.Error):
        is_valid = False
    if not is_valid:
        raise CannotStart(NOT_POSTGRES.format(setting))
    return url


def checked_redis_url(url: str, setting: str = "REDIS_URL") -> str:
    """
    >>> checked_redis_url("unix:///run/valkey.sock?db=0")
    'unix:///run/valkey.sock?db=0'
    """
    try:
        is_valid = redis_addresses.servers_of(url) is not None or _is_one_server(url)
    except ValueError:
        is_valid = False
    if not is_valid:
        raise CannotStart(NOT_REDIS.format(setting))
    return url


def _is_one_server(url: str) -> bool:
    redis.Redis.from_url(url)  # parses the address and does not connect
    parts = urlsplit(url)
    return bool(parts.path) if parts.scheme == "unix" else parts.path in ("", "/") or parts.path[1:].isdigit()


def celery_broker_url(redis_url: str) -> str:
    """Celery's form of the same address; an address of another broker stays as it is.

    >>> celery_broker_url("unix:///data/run/valkey.sock?db=0")
    'redis+socket:///data/run/valkey.sock?virtual_host=0'
    >>> celery_broker_url("redis://cache:6379/1")
    'redis://cache:6379/1'
    >>> celery_broker_url("redis+sentinel://:pw@a:26379,b:26379/qwixx/1")
    'sentinel://:pw@a:26379/1;sentinel://:pw@b:26379/1'
    """
    servers = redis_addresses.servers_of(redis_url)
    if servers is not None:
        if servers.kind == "cluster":
            raise CannotStart(NO_CLUSTER)
        password = f":{quote(servers.options['password'])}@" if "password" in servers.options else ""
        db = servers.options.get("db", 0)
        return ";".join(f"sentinel://{password}{host}:{port}/{db}" for host, port in servers.hosts)
    if not redis_url.startswith("unix://"):
        return redis_url
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)


def celery_options(redis_url: str) -> dict[str, str]:
    servers = redis_addresses.servers_of(redis_url)
    return {"master_name": servers.name} if servers else {}


@contextlib.contextmanager
def running(
    data: Path, *, with_postgres: bool = True, with_valkey: bool = True, throwaway: bool = False
) -> Iterator[list[Server]]:
    """Run one or both servers until the end of the block; the caller holds the lock of the data folder."""
    kinds = [kind for kind, is_wanted in ((valkey, with_valkey), (postgres, with_postgres)) if is_wanted]
    with contextlib.ExitStack() as stack:
        servers = []
        with data_folder.file_errors(data):
            if folder := inaccessible_folder(data):
                raise CannotStart(
                    f"{folder} is root's alone, and no server here may run as root: choose a DATA_DIR elsewhere."
                )
            run = data / "run"
            run.mkdir(mode=0o700, exist_ok=True)
            own(run)
            stack.enter_context(data_folder.socket_link(data))
            for kind in kinds:
                server = kind.prepared(data, throwaway=throwaway)
                stack.callback(server.stop)
                server.start()
                servers.append(server)
        yield servers
