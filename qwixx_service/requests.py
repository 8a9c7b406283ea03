"""The server's side of a request: uvicorn's own, made to answer in one piece what is known in one piece, and to say no
to what is not HTTP as everything else says it."""

from collections.abc import Awaitable, Generator
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from games.fast.http import WHOLE
from qwixx_service.doorstep import new_id
from qwixx_service.errors import problem
from qwixx_service.languages import preferred


class InOnePiece:
    """A transport on which the head of an answer waits for its body, if that comes in the same turn of the loop: a
    write wakes the client up, which is dear."""

    def __init__(self, transport: Any, loop: Any) -> None:
        self.whole, self._loop = transport, loop
        self.is_closing = transport.is_closing
        self._head = b""

    def write(self, data: bytes) -> None:
        if self._head:
            head, self._head = self._head, b""
            self.whole.write(head + data)
        else:
            self._head = data
            self._loop.call_soon(self.flush)

    def write_whole(self, answer: bytes) -> None:
        self.flush()
        if not self.is_closing():
            self.whole.write(answer)

    def flush(self) -> None:
        head, self._head = self._head, b""
        if head and not self.whole.is_closing():
            self.whole.write(head)

    def close(self) -> None:
        self.flush()
        self.whole.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)


class Done:
    """What need not be waited for."""

    def __await__(self) -> Generator[None, None, None]:
        return
        yield


DONE = Done()


class Cycle(RequestResponseCycle):
    """One request and its answer, which may come as one message: an answer of the fast lane is not checked twice, and
    is written at once."""

    transport: Any  # an `InOnePiece`

    def send(self, message: Any) -> Awaitable[None]:  # type: ignore[override]
        if message["type"] != WHOLE:
            return super().send(message)
        if self.flow.write_paused:
            return self._in_two(message)
        if not self.disconnected:
            self._answer(message["status"], message["headers"], message["body"])
        return DONE

    async def _in_two(self, message: Any) -> None:
        """To a client that has not read its last answer yet."""
        start: Any = {**message, "type": "http.response.start"}
        await super().send(start)
        await super().send({"type": "http.response.body", "body": message["body"], "more_body": False})

    def _answer(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        lines = [b"%b: %b\r\n" % header for header in (*self.default_headers, *headers)]
        close = b"" if self.keep_alive else b"connection: close\r\n"
        rest = b"" if self.scope["method"] == "HEAD" else body
        answer = b"".join((STATUS_LINE[status], *lines, close, b"\r\n", rest))
        self.response_started = self.response_complete = True
        self.waiting_for_100_continue = False
        self.transport.write_whole(answer)
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()


class Requests(HttpToolsProtocol):
    """What cannot be read has no headers that could be asked for a language, and never comes to the doorstep."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(InOnePiece(transport, self.loop))  # type: ignore[arg-type]

    def on_headers_complete(self) -> None:
        """Before any of it runs, uvicorn's cycle becomes one of ours."""
        super().on_headers_complete()
        if type(self.cycle) is RequestResponseCycle:
            self.cycle.__class__ = Cycle
            self.scope["extensions"] = {WHOLE: {}}

    def handle_websocket_upgrade(self) -> None:
        if isinstance(self.transport, InOnePiece):
            self.transport.flush()
            self.transport = self.transport.whole
        super().handle_websocket_upgrade()

    def send_400_response(self, _msg: str) -> None:
        request_id = new_id()
        said = problem("malformed", language=preferred(""), request_id=request_id)
        headers = {**said.headers, "X-Request-ID": request_id, "Content-Length": str(len(said.body))}
        lines = [f"{name}: {value}\r\n" for name, value in {**headers, "Connection": "close"}.items()]
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{''.join(lines)}\r\n".encode() + said.body)
        self.transport.close()
