"""Bounds on waits for PostgreSQL through psycopg: a connection that does not answer in time is cut.

A wait of psycopg cannot be cancelled while the server hangs, because psycopg waits for the server to agree. When the
socket is shut down, the wait ends with the error of a broken connection.
"""

import asyncio
import contextlib
import os
import select
import socket
from collections.abc import Iterator
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

ANSWER_S = 5.0  # for one answer
WAIT_S = 2.0  # for a free connection: a caller that waits starts no new attempt to make one
CONNECT_S = 3  # libpq knows whole seconds only
RECONNECT_S = 0.5  # of attempts to replace a connection: after two, a second apart, the next caller begins anew

Pool = AsyncConnectionPool[AsyncConnection[Any]]


@contextlib.contextmanager
def watched(connection: AsyncConnection[Any], seconds: float = ANSWER_S) -> Iterator[None]:
    """Queries within the block are answered in time, or their connection breaks."""
    timer = asyncio.get_running_loop().call_later(seconds, _cut, connection)
    try:
        yield
    finally:
        timer.cancel()


def _cut(connection: AsyncConnection[Any]) -> None:
    with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


async def _check(connection: AsyncConnection[Any]) -> None:
    """Nothing but its end can be read from an idle connection: a server that is gone is noticed without a query."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        await connection.close()  # or the pool would take it back
        raise psycopg.OperationalError("the server has closed this connection")


def check_idle_connections() -> None:
    """Replace the broken connections of Django's pool, which all threads of the process share."""
    shared: Any = getattr(connection, "pool", None)
    if shared is not None and not shared.closed:  # Django opens it with its first connection
        shared.check()


def pool(conninfo: str, *, least: int, most: int) -> Pool:
    """Connections in autocommit; one that broke while it was idle is replaced."""
    return AsyncConnectionPool(
        conninfo,
        min_size=least,
        max_size=most,
        timeout=WAIT_S,
        # The pauses between attempts grow, and the next caller starts a new attempt anyway.
        reconnect_timeout=RECONNECT_S,
        open=False,
        kwargs={"autocommit": True} | ({"prepare_threshold": None} if settings.HAS_POOLER else {}),
        check=_check,
    )
