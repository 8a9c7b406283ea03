"""The server's side of a request: uvicorn's own, made to say no to what is not HTTP as everything else says it."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from qwixx_service.doorstep import new_id
from qwixx_service.errors import problem
from qwixx_service.languages import preferred


class InOnePiece:
    """A transport on which the head of an answer waits for its body, if that comes in the same turn of the loop: a
    write wakes the client up, which is dear."""

    def __init__(self, transport: Any, loop: Any) -> None:
        self.whole, self._loop = transport, loop
        self._head = b""

    def write(self, data: bytes) -> None:
        if self._head:
            head, self._head = self._head, b""
            self.whole.write(head + data)
        else:
            self._head = data
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        head, self._head = self._head, b""
        if head and not self.whole.is_closing():
            self.whole.write(head)

    def close(self) -> None:
        self.flush()
        self.whole.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)


class Requests(HttpToolsProtocol):
    """What cannot be read has no headers that could be asked for a language, and never comes to the doorstep."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(InOnePiece(transport, self.loop))  # type: ignore[arg-type]

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
