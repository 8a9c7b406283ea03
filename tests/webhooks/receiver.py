"""A real HTTP server that receives webhooks: it keeps what it was sent, and answers as a test says."""

import contextlib
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from standardwebhooks import Webhook as Verifier

TIMEOUT_S = 30


class Received(NamedTuple):
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(self.body)
        return message

    def verified(self, secret: str) -> dict[str, Any]:
        """As a receiver does it, with the library."""
        message: dict[str, Any] = Verifier(secret).verify(self.body, self.headers)
        return message


class Receiver:
    """Answers with `status` and `headers`, or from `script` first; while `is_held`, it reads and does not answer."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.status, self.headers, self.body = 204, {}, b""  # type: int, dict[str, str], bytes
        self.script: list[int] = []
        self.is_open = threading.Event()
        self.is_open.set()
        self._arrived = threading.Condition()

    def add(self, request: Received) -> int:
        with self._arrived:
            self.received.append(request)
            self._arrived.notify_all()
            return self.script.pop(0) if self.script else self.status

    def wait_for(self, count: int) -> None:
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.received) >= count, TIMEOUT_S)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [received.message for received in self.received]

    def types(self) -> list[str]:
        return [message["type"] for message in self.messages]


class ServedReceiver(NamedTuple):
    receiver: Receiver
    url: str


@contextlib.contextmanager
def serving(receiver: Receiver, port: int = 0, certificate: Path | None = None) -> Iterator[str]:
    """Serve until the end of the block, with TLS if there is a certificate; yields the URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = receiver.add(Received({name.lower(): value for name, value in self.headers.items()}, body))
            receiver.is_open.wait(TIMEOUT_S)
            with contextlib.suppress(ConnectionError):
                self.send_response(status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(receiver.body)

        def log_message(self, *_: Any) -> None:
            """Not to the output of the tests."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http{'s' if certificate else ''}://127.0.0.1:{server.server_port}/hook?key=1"
        finally:
            receiver.is_open.set()
            server.shutdown()
            thread.join(TIMEOUT_S)
