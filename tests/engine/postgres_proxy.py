"""A proxy between the engine and PostgreSQL that counts round trips and can lose answers."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

SYNC = b"S"  # the client message that ends a round trip


class PostgresProxy:
    def __init__(self, conninfo: str) -> None:
        self.upstream = {name: str(value) for name, value in conninfo_to_dict(conninfo).items()}
        self._connections: list[asyncio.Task[None]] = []
        self.round_trips = 0
        self.cut_answers = 0  # so many of the next answers are lost, with their connections
        self.conninfo = ""

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator["PostgresProxy"]:
        with tempfile.TemporaryDirectory(prefix="proxy-") as folder:
            server = await asyncio.start_unix_server(self._accept, Path(folder) / ".s.PGSQL.5432")
            self.conninfo = make_conninfo("", **{**self.upstream, "host": folder, "port": "5432"})
            async with server:
                yield self
                server.close()
                await asyncio.gather(*self._connections)

    async def _accept(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._connections.append(task)
        server, to_server = await self._connect()
        await asyncio.gather(self._pass_queries(client, to_server), self._pass_answers(server, to_client))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self.upstream.get("host", "localhost"), int(self.upstream.get("port", 5432))
        if host.startswith("/"):
            return await asyncio.open_unix_connection(Path(host) / f".s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _pass_queries(self, client: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            await self._pass_message(client, to_server)  # the start-up message has no type
            is_listening = False  # the connection that LISTENs is tested all the time
            while True:
                kind = await client.readexactly(1)
                to_server.write(kind)
                message = await self._pass_message(client, to_server)
                is_listening = is_listening or b"LISTEN" in message
                self.round_trips += kind == SYNC and not is_listening
        await _close(to_server)

    async def _pass_message(self, client: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> bytes:
        length = await client.readexactly(4)
        message = await client.readexactly(int.from_bytes(length) - 4)
        to_server.write(length + message)
        await to_server.drain()
        return message

    async def _pass_answers(self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await server.read(65536):
                if self.cut_answers:
                    self.cut_answers -= 1
                    break
                to_client.write(data)
                await to_client.drain()
        await _close(to_client)


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
