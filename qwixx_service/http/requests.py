"""The server's side of a request: uvicorn's own, made to answer in one piece what is known in one piece, to take a call
that is all here straight to the doorstep, and to say no to what is not HTTP as everything else says it."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from games.api.play.http import Response
from players.languages.accept_language import preferred
from qwixx_service.http import plain
from qwixx_service.http.errors import problem
from qwixx_service.http.middleware import new_id


class InOnePiece:
    """A transport on which the head of an answer waits for its body, if that comes in the same turn of the loop: a
    write wakes the client up, which is dear."""

    def __init__(self, transport: Any, loop: Any) -> None:
        self.whole, self._loop = transport, loop
        self.is_closing = transport.is_closing
        self._head = b""

    def write(self, data: bytes) -> None:
        if self._head:
            self._head += data
            self.flush()
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


class Nobody:
    """Waits for a body that is here already."""

    def set(self) -> None:
        """And so need not be told of more."""


class Plain:
    """A call that was read at one glance: as much of uvicorn's cycle as its protocol looks at."""

    __slots__ = ("disconnected", "keep_alive", "response_complete")
    message_event = Nobody()

    def __init__(self) -> None:
        self.disconnected = self.response_complete = False
        self.keep_alive = True


class Requests(HttpToolsProtocol):
    """What cannot be read has no headers that could be asked for a language, and never comes to the doorstep."""

    transport: Any  # an `InOnePiece`
    cycle: Any  # uvicorn's, or a `Plain`; none before the first request
    _running: Any = None  # the one of uvicorn's that is being answered, while others may wait behind it
    _is_amid = False  # has the parser begun a request that is not all here?
    _rests_since: float | None = None  # when the last request of all was answered

    def connection_made(self, transport: Any) -> None:
        super().connection_made(InOnePiece(transport, self.loop))  # type: ignore[arg-type]
        is_usual = not (self.root_path or self.access_log) and self.limit_concurrency is None
        application = getattr(self.app, "app", self.app)  # behind what only says where a call has come from
        self._answered: Any = getattr(application, "answered", None) if is_usual else None

    def data_received(self, data: bytes) -> None:
        self._rests_since = None
        if self._answered and not self._is_amid and (self.cycle is None or self.cycle.response_complete):
            call = plain.read(data)
            if call is not None:
                self.cycle = Plain()
                task = self.loop.create_task(self._answer(call, self.cycle))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
                return
        self._is_amid = True
        super().data_received(data)

    async def _answer(self, call: plain.Call, cycle: Plain) -> None:
        try:
            response = await self._answered(call)
            if self.flow.write_paused and not cycle.disconnected:  # the last answer has not been read yet
                await self.flow.drain()
            if not self.transport.is_closing():
                self.transport.flush()
                self.transport.whole.write(self._in_one_piece(response, cycle))
        except BaseException:  # told to nobody else: whoever waits must not wait for ever
            self.transport.close()
            raise
        finally:
            cycle.response_complete = True
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def _in_one_piece(self, response: Response, cycle: Plain) -> bytes:
        lines = [b"%b: %b\r\n" % header for header in (*self.server_state.default_headers, *response.headers)]
        close = b"" if cycle.keep_alive else b"connection: close\r\n"
        return b"".join((STATUS_LINE[response.status], *lines, close, b"\r\n", response.body))

    def on_message_begin(self) -> None:
        self._is_amid = True
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._is_amid = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """As uvicorn's, but for the timer of a line at rest: it is not wound up anew at every answer."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            return
        self._rests_since = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self._look_again_in(self.timeout_keep_alive)

    def timeout_keep_alive_handler(self) -> None:
        self.timeout_keep_alive_task = None
        if self._rests_since is None:
            return  # the next answer winds it up
        rests_for = self.loop.time() - self._rests_since
        if rests_for < self.timeout_keep_alive:
            self._look_again_in(self.timeout_keep_alive - rests_for)
        else:
            super().timeout_keep_alive_handler()

    def _look_again_in(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(seconds, self.timeout_keep_alive_handler)

    def _unset_keepalive_if_required(self) -> None:
        """A line that only goes on leaves the timer to itself."""
        if self.transport.is_closing():
            super()._unset_keepalive_if_required()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever is being answered is told, too: uvicorn tells only who has asked last."""
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """A line on which somebody waits for an answer cannot become a socket."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.send_400_response("")
            return
        super()._unset_keepalive_if_required()
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
