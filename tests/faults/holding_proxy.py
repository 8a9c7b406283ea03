"""A proxy in front of PostgreSQL that holds a connection at a chosen byte, so that a test chooses when it breaks."""

import asyncio
import contextlib
import socket
import tempfile
from collections.abc import AsyncIterator, Coroutine
from enum import Enum
from functools import partial
from typing import Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo

CHUNK = 65536
FIELDS = b"SFATAL\0VFATAL\0C57P02\0Mterminating connection because of crash of another server process\0\0"
FATAL = b"E" + (len(FIELDS) + 4).to_bytes(4) + FIELDS


class HoldAt(Enum):
    """When a connection is held. What is held never arrives: it is lost when the server is killed."""

    CONNECT = "the client has connected, and its first message is unread"
    QUERY_UNREAD = "the query is sent, and all but its first byte is unread: the server says FATAL and dies"
    QUERY_READ = "the query is read, and not executed"
    ANSWER_UNSENT = "the query is committed, and no byte of the answer is sent"
    ANSWER_BEGUN = "the query is committed, and the answer is sent up to the middle of its first message"
    ANSWER_CUT = "the query is committed, and all but the last byte of the answer is sent"


HELD_AFTER = {HoldAt.ANSWER_UNSENT: 0, HoldAt.ANSWER_BEGUN: 3, HoldAt.ANSWER_CUT: -1}


class HoldingProxy:
    def __init__(self, conninfo: str) -> None:
        upstream = {name: str(value) for name, value in conninfo_to_dict(conninfo).items()}
        self._path = f"{upstream['host']}/.s.PGSQL.{upstream.get('port', 5432)}"
        self._upstream, self._tasks, self._lines = upstream, set[asyncio.Task[None]](), set[asyncio.Task[None]]()
        self._armed: HoldAt | None = None
        self.reached, self._released = asyncio.Event(), asyncio.Event()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.conninfo = ""

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator["HoldingProxy"]:
        with tempfile.TemporaryDirectory(prefix="proxy-") as folder, _unix_socket() as listener:
            listener.bind(f"{folder}/.s.PGSQL.5432")
            listener.listen(64)
            self.conninfo = make_conninfo("", **{**self._upstream, "host": folder, "port": "5432"})
            self._start(self._accept(listener))
            yield self
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def hold(self, moment: HoldAt) -> asyncio.Event:
        """Hold the next connection that comes to this moment; the event is set when it is held."""
        self._armed = moment
        self.reached, self._released = asyncio.Event(), asyncio.Event()
        return self.reached

    def release(self) -> None:
        """Close the held connection."""
        self._armed = None
        self._released.set()

    def freeze(self) -> None:
        """Pass nothing on, in any connection, until `thaw`: the server seems to hang."""
        self._flowing.clear()

    def thaw(self) -> None:
        self._flowing.set()

    def cut(self) -> None:
        """Close every connection."""
        for line in tuple(self._lines):
            line.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            client, _ = await asyncio.get_running_loop().sock_accept(listener)
            line = self._start(self._serve(client))
            self._lines.add(line)
            line.add_done_callback(self._lines.discard)
            line.add_done_callback(partial(_close, client))  # also if it is cut before it began

    async def _serve(self, client: socket.socket) -> None:
        with client, _unix_socket() as server, contextlib.suppress(OSError):
            client.settimeout(0)
            if self._armed is HoldAt.CONNECT:
                return await self._held()
            await asyncio.get_running_loop().sock_connect(server, self._path)
            directions = (self._pass_queries(client, server), self._pass_answers(server, client))
            tasks = [asyncio.ensure_future(direction) for direction in directions]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _pass_queries(self, client: socket.socket, server: socket.socket) -> None:
        """Byte by byte at first, so that the rest of a query can be left unread."""
        loop = asyncio.get_running_loop()
        while data := await loop.sock_recv(client, 1):
            if self._armed is HoldAt.QUERY_UNREAD:
                await self._held()
                client.send(FATAL)
                break
            with contextlib.suppress(BlockingIOError):
                data += client.recv(CHUNK)
            await self._flowing.wait()
            if self._armed is HoldAt.QUERY_READ:
                await self._held()
                break
            await loop.sock_sendall(server, data)

    async def _pass_answers(self, server: socket.socket, client: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while data := await loop.sock_recv(server, CHUNK):
            if self._armed in HELD_AFTER:
                await loop.sock_sendall(client, data[: HELD_AFTER[self._armed]])
                await self._held()
                break
            await loop.sock_sendall(client, data)

    async def _held(self) -> None:
        """One connection per moment; the others are served on."""
        self._armed = None
        self.reached.set()
        await self._released.wait()


def _close(client: socket.socket, _: object) -> None:
    client.close()


def _unix_socket() -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(0)
    return made
