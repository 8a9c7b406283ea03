"""Starts a PostgreSQL and a Valkey of our own in a data folder, and tells where they listen; imports no settings."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from qwixx_service.embedded import data_folder, postgres, valkey
from qwixx_service.embedded.data_folder import CannotStart, secret_key
from qwixx_service.embedded.run_as import closed_to_us, own
from qwixx_service.embedded.server_process import Server

__all__ = ["celery_broker_url", "database_url", "redis_url", "running", "secret_key"]

database_url = postgres.url
redis_url = valkey.url


def celery_broker_url(redis_url: str) -> str:
    """Celery's name for the same server.

    >>> celery_broker_url("unix:///data/run/valkey.sock?db=0")
    'redis+socket:///data/run/valkey.sock?virtual_host=0'
    >>> celery_broker_url("redis://cache:6379/1")
    'redis://cache:6379/1'
    """
    if not redis_url.startswith("unix://"):
        return redis_url
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)


@contextlib.contextmanager
def running(
    data: Path, *, with_postgres: bool = True, with_valkey: bool = True, throwaway: bool = False
) -> Iterator[list[Server]]:
    """Both servers, or those asked for, from here to the end of the block; whoever calls holds the data folder."""
    kinds = [kind for kind, wanted in ((valkey, with_valkey), (postgres, with_postgres)) if wanted]
    with contextlib.ExitStack() as stack:
        servers = []
        with data_folder.refusals(data):
            if closed := closed_to_us(data):
                raise CannotStart(
                    f"{closed} is root's alone, and no server here may run as root: choose a DATA_DIR elsewhere."
                )
            run = data / "run"
            run.mkdir(mode=0o700, exist_ok=True)
            own(run)
            stack.enter_context(data_folder.reached(data))
            for kind in kinds:
                server = kind.prepared(data, throwaway=throwaway)
                stack.callback(server.stop)
                server.start()
                servers.append(server)
        yield servers
