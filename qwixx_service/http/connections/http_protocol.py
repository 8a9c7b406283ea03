"""The limits of an HTTP connection: size and time of requests, slow readers, connections of an address."""

from asyncio import TimerHandle, Transport
from collections.abc import Sequence

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from players.limits import budgets
from qwixx_service.http.connections import counts

# What the client is sending. After ENDED its bytes are dropped.
IDLE, HEAD, BODY, ENDED = range(4)
# The parser is fed at most this much at once, so that it is known to this many bytes how long an unfinished head is.
PIECE = 16 * 1024


class LimitedHttpProtocol(HttpToolsProtocol):
    """For `uvicorn --http`. Timers exist only for unfinished requests; uvicorn is pinned exactly (decision 19)."""

    stage = IDLE
    received = 0  # bytes since the last progress: a head that began or was completed, or a part of a body
    refusal = "malformed"  # the code for what the parser does not accept
    earlier: Sequence[RequestResponseCycle] = ()  # unfinished requests before the last one, if requests are pipelined
    network = ""  # under which this connection is counted, if it is
    unread = 0  # bytes that wait for the client, once they are counted
    request_timer: TimerHandle | None = None
    unread_timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        counts.OPEN.inc()
        if network := counts.counted_network(self.client):
            if not counts.connections.add(network):
                return self.abort("connections")
            self.network = network
        return self.start_timer(budgets.HEAD_S)

    def connection_lost(self, exc: Exception | None) -> None:
        self.disconnect_requests()
        super().connection_lost(exc)
        self.release()

    def handle_websocket_upgrade(self) -> None:
        """From here on uvicorn's WebSocket protocol owns the transport, and learns of its end."""
        self.stage = ENDED
        self.release()
        super().handle_websocket_upgrade()

    def release(self) -> None:
        counts.OPEN.dec()
        self.stop_timer()
        self.stop_waiting()
        if self.network:
            counts.connections.remove(self.network)
            self.network = ""

    def data_received(self, data: bytes) -> None:
        if len(data) > PIECE:
            for start in range(0, len(data), PIECE):
                self.data_received(data[start : start + PIECE])
            return
        self.received += len(data)
        if self.stage == ENDED:
            if self.received > budgets.LINGER_BYTES:
                self.transport.abort()
            return
        super().data_received(data)
        if self.stage == IDLE and not self.is_answered():
            self.received = 0
        elif self.stage != ENDED:
            self.check_unfinished()

    def check_unfinished(self) -> None:
        """The request, or what may become one, goes on in a later packet."""
        if self.stage == IDLE:  # line breaks between requests, which the parser skips
            self.received = 0
        elif self.received > budgets.HEAD_BYTES + PIECE or len(self.headers) > budgets.HEAD_FIELDS:
            self.refuse("head_too_large")  # in a body: its trailer
        if self.request_timer is None and self.stage != ENDED:
            self.start_timer(budgets.BODY_S if self.stage == BODY else budgets.HEAD_S)

    def on_message_begin(self) -> None:
        self.stage = HEAD
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if len(self.headers) > budgets.HEAD_FIELDS or (
            self.received > budgets.HEAD_BYTES and self.head_bytes() > budgets.HEAD_BYTES
        ):
            self.refusal = "head_too_large"
            raise ValueError(self.refusal)  # the parser stops, and uvicorn calls `send_400_response`
        self.received = 0
        if self.request_timer:
            self.stop_timer()
        previous = self.cycle
        super().on_headers_complete()  # raises if the target is no URL
        self.stage = BODY
        if self.pipeline:
            self.keep_pipelined(previous)

    def keep_pipelined(self, previous: RequestResponseCycle) -> None:
        """When the connection ends, uvicorn tells it to the last request only; the others would fail and be logged."""
        self.earlier = [*(cycle for cycle in self.earlier if not cycle.response_complete), previous]
        if len(self.pipeline) > budgets.PIPELINED_REQUESTS:
            self.refusal = "too_many_requests"
            raise ValueError(self.refusal)

    def head_bytes(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def on_body(self, body: bytes) -> None:
        self.received = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.stage = IDLE
        if self.request_timer:
            self.stop_timer()
        super().on_message_complete()

    def start_timer(self, seconds: float) -> None:
        self.request_timer = self.loop.call_later(seconds, self.on_timeout, seconds)

    def stop_timer(self) -> None:
        if self.request_timer:
            self.request_timer.cancel()
            self.request_timer = None

    def on_timeout(self, seconds: float) -> None:
        if self.flow.read_paused or (self.stage != BODY and not self.is_answered()):
            self.start_timer(seconds)  # the client waits for an earlier response
        elif self.stage == IDLE:
            self.transport.close()
        else:
            self.refuse("too_slow")

    def is_answered(self) -> bool:
        """Whether the last request that began its response has ended it."""
        return self.cycle is None or self.cycle.response_complete

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """uvicorn's answer to bytes that are not HTTP; it would be a plain text."""
        self.refuse(self.refusal)

    def may_answer(self) -> bool:
        """Whether the next bytes that the client reads would be taken for the response to this request."""
        if self.stage == BODY:
            return not self.pipeline and not self.cycle.response_started
        return self.is_answered()

    def refuse(self, code: str) -> None:
        """Send a problem document, where the client can tell it from other responses, and end the connection."""
        if self.may_answer():
            self.end_with(code)
        else:
            self.abort(code)

    def end_with(self, code: str) -> None:
        """The client reads the response even if it goes on sending: what it sends is dropped for a moment."""
        self.disconnect_requests()
        self.stage, self.received = ENDED, 0
        counts.REJECTED.labels(code).inc()
        self.transport.write(self.problem(code))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.stop_timer()
        self.request_timer = self.loop.call_later(budgets.LINGER_S, self.transport.abort)

    def problem(self, code: str) -> bytes:
        # Imported here: uvicorn imports this module before the application, which names the settings.
        from qwixx_service.http.raw_problems import raw_problem

        return raw_problem(code, self.headers or (), self.server_state.default_headers)

    def disconnect_requests(self) -> None:
        """The application learns that its client is gone, and sends nothing more."""
        for cycle in (*self.earlier, self.cycle):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def abort(self, limit: str) -> None:
        self.stage = ENDED
        self.disconnect_requests()
        counts.REJECTED.labels(limit).inc()
        self.transport.abort()

    def pause_writing(self) -> None:
        """The application writes no more before the client has read; a response in one piece waits here as a whole."""
        super().pause_writing()
        self.unread_timer = self.loop.call_later(budgets.UNREAD_S, self.abort, "unread")
        waiting = self.transport.get_write_buffer_size()
        if self.network and not counts.unread_bytes.add(self.network, waiting):
            self.abort("unread_bytes")
        elif self.network:
            self.unread = waiting

    def resume_writing(self) -> None:
        super().resume_writing()
        self.stop_waiting()

    def stop_waiting(self) -> None:
        if self.unread_timer:
            self.unread_timer.cancel()
        if self.unread:
            counts.unread_bytes.remove(self.network, self.unread)
            self.unread = 0
