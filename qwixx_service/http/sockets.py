"""The server's side of a WebSocket: uvicorn's own, made to write one encoded frame to many sockets.

No compression state is kept between messages, so that a frame is compressed once for everybody, and a socket costs no
32 kB of zlib's memory. A client that does not read is cut off; one that sends too much is told 4400.
"""

import logging
import socket
import struct
import zlib
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import PayloadTooBig
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Close, Frame, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from games.metrics import counters
from games.streams.frames import MALFORMED, TOO_SLOW
from games.streams.socket_writer import EXTENSION, LARGEST_BACKLOG, Bundle, Listener

LARGEST_FRAME = 64 * 1024
WORTH_COMPRESSING = 256  # bytes; what is shorter only gets slower
WINDOW_BITS = 12
KERNEL_BUFFER = 64 * 1024
MOST_UNREAD = 8  # messages of a client that wait for the one before them; more are left in the kernel
FAREWELL_S = 5.0  # for a client to read why it is shown out
TEXT, COMPRESSED_TEXT = 0x81, 0xC1  # first byte of a whole message
MASKED = 0x80
LARGEST_PONG = 127  # bytes

logger = logging.getLogger(__name__)


class Sockets(WebSocketsSansIOProtocol):
    """One socket; `games.streams` finds it in the scope as an extension, and writes through it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        compression = ServerPerMessageDeflateFactory(
            server_no_context_takeover=True,
            client_no_context_takeover=True,
            server_max_window_bits=WINDOW_BITS,
        )
        self.conn = ServerProtocol(extensions=[compression], max_size=LARGEST_FRAME, logger=self.logger)
        self._bits = 0  # of the window this client decompresses with; 0: it does not
        self._is_cutting = False  # are frames cut out here? From the handshake on, as long as nothing is strange
        self._rest = b""  # the beginning of a frame whose end has not come yet
        self._held: list[bytes] = []  # what is written when the loop comes round
        self.listener: Listener | None = None
        self._unread = 0  # bytes, at most, that this client has not read

    def connection_made(self, transport: Any) -> None:
        """Memory of the kernel is memory, too: what a client does not read must not fill megabytes of it."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]
            self._is_cutting = not self.conn.reader.buffer
            agreed = [kind for kind in self.conn.extensions if isinstance(kind, PerMessageDeflate)]
            self._bits = agreed[0].local_max_window_bits if agreed else 0

    def data_received(self, data: bytes) -> None:
        """Whole plain texts are handed on from here, by the shortest way; every other frame is uvicorn's affair."""
        data, self._rest = self._rest + data if self._rest else data, b""
        at = 0
        while self._is_cutting and (frame := next_frame(data, at)) is not None:
            head, size = frame
            end = at + head + size
            self._is_cutting = 0 <= size <= LARGEST_FRAME and self.conn.state is OPEN
            if not self._is_cutting:
                break
            if end > len(data):
                self._rest = data[at:]
                return
            is_plain = data[at] == TEXT and self.conn.current_size is None
            if not (is_plain and self._take_text(apply_mask(data[at + head : end], data[at + head - 4 : at + head]))):
                super().data_received(data[at:end])
            at = end
        if self._is_cutting:
            self._rest = data[at:]
        elif at < len(data) and self.conn.parser_exc is None:  # else all has been said
            super().data_received(data[at:])

    def _take_text(self, payload: bytes) -> bool:
        """False: it is none."""
        if self.close_sent:
            return True
        try:
            text = payload.decode()
        except UnicodeDecodeError:
            return False
        if self.listener is not None and self.queue.empty() and self.listener(text):
            return True
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self.read_paused and self.queue.qsize() >= MOST_UNREAD:
            self.read_paused = True
            self.transport.pause_reading()
        return True

    def write(self, bundle: Bundle) -> bool:
        wire = bundle.wires.get(self._bits) or bundle.on_wire(self._bits, on_the_wire)
        if not self._held:
            if not _unwritten:
                self.loop.call_soon(write_all)
            _unwritten.append(self)
        self._held.append(wire)
        self._unread += len(wire)
        return self._unread <= LARGEST_BACKLOG or self._has_room()

    def _has_room(self) -> bool:
        """Looked at closely only where so much has been written that it might not be so."""
        self._unread = sum(map(len, self._held)) + self.transport.get_write_buffer_size()
        return self._unread <= LARGEST_BACKLOG

    def handle_ping(self) -> None:
        """Pongs are written by uvicorn, and count as well: whoever only pings and reads nothing is shown out, too."""
        super().handle_ping()
        self._unread += LARGEST_PONG
        if self._unread > LARGEST_BACKLOG and not self.close_sent and not self._has_room():
            counters.CLOSED.labels(TOO_SLOW).inc()
            self.end(TOO_SLOW)

    def flush(self) -> None:
        """All that was said to this client in one turn of the loop, in one piece: a write costs as much as a move."""
        held, self._held = self._held, []
        if held and not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(held) if len(held) > 1 else held[0])

    def end(self, code: int) -> None:
        """As uvicorn does it, but for a client that reads nothing more: it is waited for no longer than a moment."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        self.flush()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(FAREWELL_S, self.transport.abort)

    async def drained(self) -> None:
        self.flush()
        await self.writable.wait()

    def shutdown(self) -> None:
        """Nobody may keep the process from ending by not reading."""
        self.flush()
        super().shutdown()
        self.loop.call_later(1.0, self.transport.abort)

    def handle_close(self, event: Frame) -> None:
        self.flush()
        super().handle_close(event)

    def keepalive_timeout(self) -> None:
        self.flush()
        super().keepalive_timeout()
        self.loop.call_later(FAREWELL_S, self.transport.abort)

    def handle_parser_exception(self) -> None:
        self.flush()
        if isinstance(self.conn.parser_exc, PayloadTooBig):
            self.conn.data_to_send()  # what the protocol would have said, in a code of its own
            self.transport.write(Frame(Opcode.CLOSE, Close(MALFORMED, "too large").serialize()).serialize(mask=False))
        super().handle_parser_exception()


_unwritten: list[Sockets] = []  # sockets of this process that hold something back until the loop comes round


def write_all() -> None:
    """Once for all of them: one at a time, the loop would have as many things to do."""
    sockets = _unwritten[:]
    _unwritten.clear()
    for each in sockets:
        try:
            each.flush()
        except Exception:  # one that cannot be written to is nobody else's trouble
            logger.exception("a socket could not be written to")
            each.transport.abort()


def next_frame(data: bytes, at: int) -> tuple[int, int] | None:
    """How long the head of the frame at this place is, and its payload; None: the head is not all there.

    Whoever does not mask has a size below zero.

    >>> next_frame(b"\\x81\\x82mask{}", 0), next_frame(b"\\x81\\x82mas", 0)
    ((6, 2), None)
    >>> next_frame(b"\\x89\\x00", 0)
    (2, -128)
    """
    there = len(data) - at
    if there < 2:
        return None
    size = data[at + 1] - MASKED
    head = 2 if size < 0 else 6 if size < 126 else 8 if size == 126 else 14
    if there < head:
        return None
    return head, size if head <= 6 else int.from_bytes(data[at + 2 : at + head - 4], "big")


def on_the_wire(payload: bytes, bits: int) -> bytes:
    """A text message, compressed where that is agreed on and worth it.

    >>> on_the_wire(b"{}", 12)
    b'\\x81\\x02{}'
    """
    first = TEXT
    if bits and len(payload) >= WORTH_COMPRESSING:
        packer = zlib.compressobj(wbits=-bits)
        payload = (packer.compress(payload) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
        first = COMPRESSED_TEXT
    length = len(payload)
    if length < 126:
        return bytes((first, length)) + payload
    if length < 65536:
        return bytes((first, 126, length >> 8, length & 255)) + payload
    return struct.pack("!BBQ", first, 127, length) + payload
