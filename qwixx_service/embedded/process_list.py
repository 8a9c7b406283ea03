"""The processes of the service (web, worker, beat), their commands, and the port that web listens on."""

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
from qwixx_service.embedded.supervisor import ChildProcess

HOST = "127.0.0.1"
# After `kill -9` of a run its web process ends a moment later.
PORT_TIMEOUT_S = 1.0
UNREAD_FOR_MS = 30_000
RECEIVE_BUFFER = 16 * 1024
# Messages over 64 KiB are refused by the streams with 4400, those over 1 MiB by uvicorn with 1009. Compression would
# cost 32 kB of memory per socket.
WEBSOCKETS = ("--ws-max-size=1048576", "--ws-per-message-deflate=false")
LIMITS = "qwixx_service.http.connections"  # uvicorn's protocols, with limits (decision 19)
PROTOCOLS = (
    f"--http={LIMITS}.http_protocol:LimitedHttpProtocol",
    f"--ws={LIMITS}.socket_protocol:LimitedSocketProtocol",
    *WEBSOCKETS,
)
UVICORN = ("-m", "uvicorn", "qwixx_service.asgi:application", "--lifespan=on", *PROTOCOLS)
# No proxy stands before the server on this machine, so forwarded addresses are not trusted.
DIRECT = ("--no-access-log", "--no-proxy-headers", "--timeout-graceful-shutdown=2")
# Celery would print a long warning at every start by root.
CELERY = ("-W", "ignore:You're running the worker with superuser", "-m", "celery", "--quiet", "--app=qwixx_service")
# Threads share the engine of the process, which commits their commands in groups.
THREADS = ("--pool=threads", "--concurrency=8", "--queues=celery,time,bots,webhooks")
# A single worker has no peers to look for, which would take a second.
NO_PEERS = ("--without-mingle", "--without-gossip")


def processes(web: socket.socket, data: Path) -> list[ChildProcess]:
    """In the order of their start; they end in reverse. All stop timeouts, with the servers', add up to ten seconds."""
    python, port = sys.executable, web.fileno()
    schedule = f"--schedule={data / 'beat-schedule'}"
    return [
        ChildProcess("web", [python, *UVICORN, *DIRECT, f"--fd={port}"], stop_timeout=2.25, inherited_files=(port,)),
        ChildProcess("worker", [python, *CELERY, "worker", *THREADS, *NO_PEERS], stop_timeout=3.0),
        ChildProcess("beat", [python, *CELERY, "beat", schedule], stop_timeout=1.0),
    ]


@contextlib.contextmanager
def listening() -> Iterator[socket.socket]:
    """Bind the port before anything is started; web inherits it, and early clients wait instead of being refused."""
    wanted = os.environ.get("PORT") or "8000"
    with socket.socket() as web:
        web.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # uvicorn does not set this on an inherited socket, and connections inherit it: without it the second packet
        # of a response waits 40 ms for the client's acknowledgement of the first.
        web.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        end_unread_connections(web)
        bound_reads(web)
        try:
            bind(web, int(wanted))
        except (ValueError, OverflowError):
            raise CannotStart(f"PORT={wanted} is not a port: it must be a number from 0 to 65535.") from None
        except OSError as refusal:
            raise CannotStart(
                f"Port {wanted} of {HOST} cannot be used: {refusal.strerror}. Choose another: PORT=8123 make run"
            ) from None
        yield web


def end_unread_connections(listener: socket.socket) -> None:
    """The kernel (Linux) ends connections whose client reads nothing; uvicorn would wait for them without end."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_FOR_MS)


def bound_reads(listener: socket.socket) -> None:
    """uvicorn parses all pipelined requests of one read before it pauses the connection: bound how much one read is."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)


def bind(web: socket.socket, port: int) -> None:
    until = time.monotonic() + PORT_TIMEOUT_S
    while True:
        try:
            web.bind((HOST, port))
            return web.listen()
        except OSError as refusal:
            if refusal.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise
            time.sleep(0.1)


async def answers(port: int) -> bool:
    """Whether web sends any response, whatever its status."""
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(b"GET /healthz HTTP/1.0\r\n\r\n")
        status = await reader.readline()
        writer.close()
        return bool(status)
    except OSError:
        return False
