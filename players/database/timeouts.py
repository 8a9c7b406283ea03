"""How long the database is waited for: a line on which nothing comes back is cut, so that whoever waits hears of it.

Waits of psycopg cannot be cancelled while a server hangs: it would ask the server to agree. A line that was shut down
wakes it up, and it raises what it raises for every line that breaks.
"""

import asyncio
import contextlib
import os
import select
import socket
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

PATIENCE_S = 5.0  # for one answer, and for a free connection
CONNECT_S = 3  # libpq knows whole seconds only

Pool = AsyncConnectionPool[AsyncConnection[Any]]
Begin = Callable[[AsyncConnection[Any]], Awaitable[None]]


@contextlib.contextmanager
def watched(connection: AsyncConnection[Any], seconds: float = PATIENCE_S) -> Iterator[None]:
    """What is asked on this line within the block is answered in time, or the line breaks."""
    timer = asyncio.get_running_loop().call_later(seconds, cut, connection)
    try:
        yield
    finally:
        timer.cancel()


def cut(connection: AsyncConnection[Any]) -> None:
    with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)


async def must_be_quiet(connection: AsyncConnection[Any]) -> None:
    """On an idle line nothing is to be read but its end: a server that has gone is noticed without a question."""
    poll = select.poll()
    poll.register(connection.pgconn.socket, select.POLLIN)
    if poll.poll(0):
        await connection.close()  # or the pool would take it back for a good one
        raise psycopg.OperationalError("the server has closed this line")


def pool(conninfo: str, *, least: int, most: int, begin: Begin | None = None) -> Pool:
    """Lines in autocommit, each begun as told; one that died while nobody used it is not given out."""
    return AsyncConnectionPool(
        conninfo,
        min_size=least,
        max_size=most,
        timeout=PATIENCE_S,
        # Given up early: pauses between tries grow with time, and the next caller asks for another try anyway.
        reconnect_timeout=CONNECT_S,
        open=False,
        kwargs={"autocommit": True},
        configure=begin,
        check=must_be_quiet,
    )
