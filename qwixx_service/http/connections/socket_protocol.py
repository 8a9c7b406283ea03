"""The limits of a WebSocket connection: frames a second, fragments and bytes of a message."""

import contextlib
from asyncio import Task, Transport
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from players.limits import budgets
from qwixx_service.http.connections import counts

# The parser is fed at most this much at once; the shortest frame has 6 bytes.
PIECE = 4 * 1024
MALFORMED, TOO_MANY = 4400, 4429


class LimitedSocketProtocol(WebSocketsSansIOProtocol):
    """For `uvicorn --ws`. Counts all frames: pings, pongs and fragments do not reach the application."""

    network = ""  # under which this connection is counted, if it is
    counted = 0  # in the second that began at `since`
    since = 0.0
    unfinished = 0  # bytes of the frame that has begun
    is_refused = False
    closing: Task[None] | None = None
    dropped = 0  # bytes that were received after the refusal

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Counted as long as it is open, also while it is refused: a client need not answer a close frame."""
        super().connection_made(transport)
        if (network := counts.counted_network(self.client)) and counts.connections.add(network):
            self.network = network

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.network:
            counts.connections.remove(self.network)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            if self.is_refused:
                return self.drop(len(data) - start)
            piece = data[start : start + PIECE]
            self.unfinished += len(piece)
            super().data_received(piece)
            self.check_unfinished()
        return None

    def check_unfinished(self) -> None:
        """A message that cannot be taken any more is not kept: uvicorn would collect 1 MiB of it."""
        if not self.is_refused and self.unfinished + sum(map(len, self.frames)) > budgets.FRAME_BYTES + PIECE:
            self.refuse(MALFORMED, "too_large")

    def drop(self, count: int) -> None:
        self.dropped += count
        if self.dropped > budgets.LINGER_BYTES:
            self.transport.abort()

    def handle_connect(self, event: Any) -> None:
        self.unfinished = 0  # the head of the handshake
        super().handle_connect(event)

    def handle_text(self, event: Any) -> None:
        if self.is_counted(1):
            super().handle_text(event)

    def handle_bytes(self, event: Any) -> None:
        if self.is_counted(1):
            super().handle_bytes(event)

    def handle_cont(self, event: Any) -> None:
        if self.is_counted(budgets.CONTROL_FRAME):
            super().handle_cont(event)
        if len(self.frames) > budgets.FRAGMENTS and not self.is_refused:
            self.refuse(TOO_MANY, "frames")

    def handle_ping(self) -> None:
        if self.is_counted(budgets.CONTROL_FRAME):
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self.is_counted(budgets.CONTROL_FRAME):
            super().handle_pong(event)

    def is_counted(self, weight: int) -> bool:
        """A frame is complete. False: it is dropped, and the connection ends."""
        self.unfinished = 0
        now = self.loop.time()
        if now - self.since >= 1.0:
            self.since, self.counted = now, 0
        self.counted += weight
        if self.counted > budgets.FRAMES_PER_SECOND and not self.is_refused:
            self.refuse(TOO_MANY, "frames")
        return not self.is_refused

    def refuse(self, code: int, limit: str) -> None:
        """The client reads the close code even if it goes on sending: what it sends is dropped for a moment."""
        self.is_refused = True
        counts.REJECTED.labels(limit).inc()
        if self.handshake_complete:
            self.closing = self.loop.create_task(self.close(code))
            self.loop.call_later(budgets.LINGER_S, self.transport.abort)
        else:
            self.transport.abort()

    async def close(self, code: int) -> None:
        """As the application would; it may have done so, or the client may be gone."""
        with contextlib.suppress(RuntimeError, ClientDisconnected):
            await self.send({"type": "websocket.close", "code": code})
            if self.transport.can_write_eof():
                self.transport.write_eof()
