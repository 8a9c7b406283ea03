"""Asks a prepared question on a connection of psycopg's, without its cursors: they cost more than most of our answers.

One question at a time on a connection. Parameters are written as text, and the database knows what they are.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from psycopg import AsyncConnection, OperationalError
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGresult

from players.database.ids import text_of
from players.database.timeouts import PATIENCE_S, watched

Row = tuple[Any, ...]

_prepared: WeakKeyDictionary[AsyncConnection[Any], dict[bytes, bytes]] = WeakKeyDictionary()


async def fetch(
    connection: AsyncConnection[Any], query: bytes, parameters: Sequence[object], patience_s: float = PATIENCE_S
) -> list[Row]:
    """All rows of the answer, in one round trip from the second time on."""
    names = _prepared.setdefault(connection, {})
    with watched(connection, patience_s):
        name = names.get(query)
        if name is None:
            name = f"qx{len(names)}".encode()
            connection.pgconn.send_prepare(name, query)
            await _answer(connection)
            names[query] = name
        values = [value if isinstance(value, bytes) else _text(value) for value in parameters]
        forms = [Format.BINARY if isinstance(value, bytes) else Format.TEXT for value in parameters]
        connection.pgconn.send_query_prepared(name, values, forms, Format.BINARY)
        result = await _answer(connection)
    if result.ntuples == 0:
        return []
    reader = Transformer(connection)
    reader.set_pgresult(result)
    return reader.load_rows(0, result.ntuples, tuple)


def _text(value: object) -> bytes | None:
    """
    >>> _text("a"), _text(1), _text(True), _text([UUID(int=1)]), _text(None)
    (b'a', b'1', b'true', b'{00000000-0000-0000-0000-000000000001}', None)
    """
    if value is None:
        return None
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, UUID):
        return text_of(value).encode()
    if isinstance(value, list):
        return ("{" + ",".join([text_of(each) for each in value]) + "}").encode()
    return (value.isoformat() if isinstance(value, datetime) else str(value).lower()).encode()


async def _answer(connection: AsyncConnection[Any]) -> PGresult:
    """Waits until what was asked is sent and answered. Whoever goes away meanwhile leaves a line behind that is busy:
    no pool takes such a one back."""
    waiting = _Waiting(connection.pgconn)
    try:
        await waiting.answered
    finally:
        waiting.end()
    result = waiting.result
    if result is None:
        raise OperationalError("the server has closed this line")
    if result.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
        raise error_from_result(result, encoding="utf-8")
    return result


class _Waiting:
    """For one answer on one line."""

    def __init__(self, line: Any) -> None:
        self._line, self._loop = line, asyncio.get_running_loop()
        self._socket = line.socket
        self.answered = self._loop.create_future()
        self.result: PGresult | None = None
        self._loop.add_reader(self._socket, self._try, self._read)
        self._is_sending = bool(line.flush())
        if self._is_sending:
            self._loop.add_writer(self._socket, self._try, self._write)

    def end(self) -> None:
        self._loop.remove_reader(self._socket)
        if self._is_sending:
            self._loop.remove_writer(self._socket)

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except psycopg.Error as error:
            if not self.answered.done():
                self.answered.set_exception(error)

    def _read(self) -> None:
        self._line.consume_input()
        while not self._line.is_busy():
            result = self._line.get_result()
            if result is None:
                if not self.answered.done():
                    self.answered.set_result(None)
                return
            self.result = result

    def _write(self) -> None:
        if not self._line.flush():
            self._loop.remove_writer(self._socket)
            self._is_sending = False
