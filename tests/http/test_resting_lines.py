"""A line on which nothing is asked any more is closed after a while, and no other."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from games.api.play.http import Response
from qwixx_service.http import plain
from qwixx_service.http.requests import Requests

RESTS_S = 2
GLANCED = b"GET /api/v1/games/0192f0c0-0000-7000-8000-000000000000 HTTP/1.1\r\nHost: x\r\n\r\n"
PARSED = b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PING, PONG = b"\x89\x80\0\0\0\0", b"\x8a\0"


class Slow:
    """Answers when it is told to, unless something is wrong with it."""

    def __init__(self) -> None:
        self.asked, self.may_answer, self.has_gone = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.may_answer.set()
        self.trouble: BaseException | None = None

    async def answered(self, _call: plain.Call) -> Response:
        self.asked.set()
        await self.may_answer.wait()
        if self.trouble is not None:
            raise self.trouble
        return Response(200, [(b"content-length", b"2")], b"ok")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await receive()
            return
        if scope["path"] == "/stream":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            self.asked.set()
            await receive()
            gone = asyncio.ensure_future(receive())
            while not gone.done():  # a line that is not read is found dead when it is written to
                await send({"type": "http.response.body", "body": b"still here", "more_body": True})
                await asyncio.wait([gone], timeout=0.05)
            self.has_gone.set()
            return
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def slow() -> Slow:
    return Slow()


@asynccontextmanager
async def serving(slow: Slow, **options: Any) -> AsyncIterator[uvicorn.Server]:
    ours: dict[str, Any] = {"http": Requests, "lifespan": "off", "access_log": False, **options}
    server = uvicorn.Server(uvicorn.Config(slow, "127.0.0.1", 0, timeout_keep_alive=RESTS_S, **ours))
    task = asyncio.create_task(server._serve())
    while not server.started:  # noqa: ASYNC110  (it has no event for it)
        await asyncio.sleep(0.01)
    yield server
    server.should_exit = True
    await task


@pytest.fixture
async def server(slow: Slow) -> AsyncIterator[uvicorn.Server]:
    async with serving(slow, proxy_headers=False) as server:
        yield server


class Line:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ask(self, request: bytes) -> bytes:
        self.writer.write(request)
        return await self.answer()

    async def answer(self) -> bytes:
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert await self.reader.readexactly(2) == b"ok"
        return head


async def connected(server: uvicorn.Server) -> Line:
    port = server.servers[0].sockets[0].getsockname()[1]
    return Line(*await asyncio.open_connection("127.0.0.1", port))


@pytest.fixture
async def line(server: uvicorn.Server) -> AsyncIterator[Line]:
    line = await connected(server)
    yield line
    line.writer.close()


@pytest.mark.parametrize("request_", [GLANCED, PARSED])
async def test_a_line_at_rest_is_closed_after_the_last_answer_and_no_earlier(line: Line, request_: bytes) -> None:
    for _ in range(3):
        await line.ask(request_)
        await asyncio.sleep(0.4 * RESTS_S)  # far from the end, for the machine may stall
    last = time.monotonic()
    await line.ask(request_)
    async with asyncio.timeout(20):
        assert await line.reader.read() == b""
    assert time.monotonic() - last >= RESTS_S


@pytest.mark.parametrize("request_", [GLANCED, PARSED])
async def test_a_line_whose_answer_takes_its_time_is_not_at_rest(line: Line, slow: Slow, request_: bytes) -> None:
    await line.ask(request_)
    slow.may_answer.clear()
    line.writer.write(request_)
    await asyncio.sleep(1.5 * RESTS_S)
    slow.may_answer.set()
    assert b" 200 " in await line.answer()
    assert b" 200 " in await line.ask(request_)


async def test_a_line_on_which_a_request_comes_bit_by_bit_is_not_at_rest(line: Line) -> None:
    await line.ask(GLANCED)
    line.writer.write(GLANCED[:-2])
    await asyncio.sleep(1.5 * RESTS_S)
    line.writer.write(GLANCED[-2:])
    assert b" 200 " in await line.answer()


async def test_a_line_that_became_a_socket_is_not_at_rest(line: Line) -> None:
    await line.ask(GLANCED)
    line.writer.write(UPGRADE)
    assert b" 101 " in await line.reader.readuntil(b"\r\n\r\n")
    await asyncio.sleep(1.5 * RESTS_S)
    line.writer.write(PING)
    assert await line.reader.readexactly(2) == PONG


@pytest.mark.parametrize(("options", "is_short"), [({}, True), ({"root_path": "/elsewhere"}, False)])
async def test_calls_take_the_short_way_behind_a_proxy_too_but_not_where_more_is_asked_of_the_server(
    slow: Slow, options: dict[str, Any], is_short: bool
) -> None:
    async with serving(slow, proxy_headers=True, **options) as server:
        line = await connected(server)
        assert b" 200 " in await line.ask(GLANCED)
        assert slow.asked.is_set() is is_short
        line.writer.close()


async def test_a_server_that_ends_answers_what_was_asked_and_closes(
    line: Line, slow: Slow, server: uvicorn.Server
) -> None:
    slow.may_answer.clear()
    line.writer.write(GLANCED)
    await slow.asked.wait()
    server.should_exit = True
    while server.servers[0].is_serving():  # noqa: ASYNC110  (as above)
        await asyncio.sleep(0.01)
    slow.may_answer.set()
    head = await line.answer()
    assert b"connection: close" in head
    assert await line.reader.read() == b""


@pytest.mark.parametrize("trouble", [RuntimeError("not our day"), asyncio.CancelledError()])
async def test_a_call_that_cannot_be_answered_closes_its_line(line: Line, slow: Slow, trouble: BaseException) -> None:
    slow.trouble = trouble
    line.writer.write(GLANCED)
    async with asyncio.timeout(20):
        assert await line.reader.read() == b""


@pytest.mark.parametrize("request_", [GLANCED, PARSED])
async def test_a_line_on_which_an_answer_is_due_does_not_become_a_socket(
    line: Line, slow: Slow, request_: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    slow.may_answer.clear()
    line.writer.write(request_)
    await asyncio.sleep(0.1)
    line.writer.write(UPGRADE)
    async with asyncio.timeout(20):
        assert (await line.reader.read()).startswith(b"HTTP/1.1 400 ")
    slow.may_answer.set()
    await asyncio.sleep(0.1)
    assert "Traceback" not in caplog.text


async def test_a_stream_ends_with_its_line_whatever_was_asked_behind_it(line: Line, slow: Slow) -> None:
    line.writer.write(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    await slow.asked.wait()
    line.writer.write(PARSED)
    await asyncio.sleep(0.1)
    line.writer.transport.abort()
    async with asyncio.timeout(20):
        await slow.has_gone.wait()
