"""What runs beside the servers, and how each is started: web, worker and beat; and the port that web listens on."""

import asyncio
import contextlib
import errno
import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from qwixx_service.embedded.data_folder import CannotStart
from qwixx_service.embedded.supervisor import Role

HOST = "127.0.0.1"
# After `kill -9` of a run its web process outlives it by a moment.
PATIENCE_WITH_PORT = 1.0

UNREAD_FOR_MS = 30_000
# Messages over 64 KiB are refused by the streams with 4400, those over 1 MiB by uvicorn with 1009. Compression would
# cost 32 kB of memory per socket.
WEBSOCKETS = ("--ws=websockets-sansio", "--ws-max-size=1048576", "--ws-per-message-deflate=false")
PROTOCOLS = (*WEBSOCKETS, "--http=qwixx_service.http.requests:Requests")
UVICORN = ("-m", "uvicorn", "qwixx_service.asgi:application", "--lifespan=on", *PROTOCOLS)
# Nobody stands before a server on this machine: an address that a client claims to have is not believed.
DIRECT = ("--no-access-log", "--no-proxy-headers", "--timeout-graceful-shutdown=2")
# Whoever runs this as root knows it; Celery would say so at every start, at length.
CELERY = ("-W", "ignore:You're running the worker with superuser", "-m", "celery", "--quiet", "--app=qwixx_service")
# Threads, for all of them use the one engine of the process, which stores together what is done together.
THREADS = ("--pool=threads", "--concurrency=8", "--queues=celery,time,bots")
# The only worker has no neighbours to look for; looking takes a second.
ALONE = ("--without-mingle", "--without-gossip")


def roles(web: socket.socket, data: Path) -> list[Role]:
    """In the order of their start; they end in reverse. Their patience and the servers' add up to ten seconds."""
    python, port = sys.executable, web.fileno()
    schedule = f"--schedule={data / 'beat-schedule'}"
    return [
        Role("web", [python, *UVICORN, *DIRECT, f"--fd={port}"], patience=2.25, inherits=(port,)),
        Role("worker", [python, *CELERY, "worker", "--loglevel=INFO", *THREADS, *ALONE], patience=3.0),
        Role("beat", [python, *CELERY, "beat", "--loglevel=INFO", schedule], patience=1.0),
    ]


@contextlib.contextmanager
def listening() -> Iterator[socket.socket]:
    """The port, taken before anything is started; web inherits it, and whoever comes early or meanwhile waits."""
    wanted = os.environ.get("PORT") or "8000"
    with socket.socket() as web:
        web.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # uvicorn takes a socket it is handed for one of the file system and would leave this out: an answer of two
        # packets would then wait 40 ms for the client's acknowledgement of the first. Connections inherit it.
        web.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        end_unread_connections(web)
        try:
            take(web, int(wanted))
        except (ValueError, OverflowError):
            raise CannotStart(f"PORT={wanted} is not a port: it must be a number from 0 to 65535.") from None
        except OSError as refusal:
            raise CannotStart(
                f"Port {wanted} of {HOST} cannot be used: {refusal.strerror}. Choose another: PORT=8123 make run"
            ) from None
        yield web


def end_unread_connections(listener: socket.socket) -> None:
    """Connections whose client reads nothing are ended by the kernel (Linux): uvicorn waits for them without end."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_FOR_MS)


def take(web: socket.socket, port: int) -> None:
    until = time.monotonic() + PATIENCE_WITH_PORT
    while True:
        try:
            web.bind((HOST, port))
            return web.listen()
        except OSError as refusal:
            if refusal.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise
            time.sleep(0.1)


async def answers(port: int) -> bool:
    """Whether anything comes back; what, is for others to judge."""
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(b"GET /healthz HTTP/1.0\r\n\r\n")
        status = await reader.readline()
        writer.close()
        return bool(status)
    except OSError:
        return False
