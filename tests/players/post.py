"""A post office for tests: a worker that sends mails, and a mail server that keeps what it is given."""

import contextlib
import email
import email.policy
import os
import queue
import signal
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from email.message import EmailMessage

from tests.server import database_url

PATIENCE_S = 60
ALONE = ("--pool=solo", "--without-mingle", "--without-gossip", "--without-heartbeat", "--loglevel=WARNING")


class Office:
    """Mails in the order they came, to be waited for."""

    def __init__(self) -> None:
        self._mails: queue.Queue[EmailMessage] = queue.Queue()

    def put(self, raw: bytes) -> None:
        self._mails.put(email.message_from_bytes(raw, policy=email.policy.default))

    def next(self) -> EmailMessage:
        return self._mails.get(timeout=PATIENCE_S)


class Conversation(socketserver.StreamRequestHandler):
    """As much of SMTP as a client needs to deliver mail."""

    office: Office

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline():
            match line.strip().upper().split(b" ")[0]:
                case b"DATA":
                    self._say("354 go ahead")
                    self.office.put(b"".join(iter(self.rfile.readline, b".\r\n")))
                    self._say("250 kept")
                case b"QUIT":
                    self._say("221 bye")
                    return
                case _:
                    self._say("250 well")

    def _say(self, words: str) -> None:
        self.wfile.write(words.encode() + b"\r\n")


@contextlib.contextmanager
def post_office() -> Iterator[Office]:
    office = Office()
    handler = type("Handler", (Conversation,), {"office": office})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server, _worker(server.server_address[1]):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield office
        server.shutdown()


@contextlib.contextmanager
def _worker(port: int) -> Iterator[None]:
    environment = {
        "DATABASE_URL": database_url(),
        "EMAIL_URL": f"smtp://127.0.0.1:{port}",
        "PUBLIC_URL": "https://play.example.org",
    }
    ignored = ("-W", "ignore:You're running the worker with superuser")
    command = [sys.executable, *ignored, "-m", "celery", "--quiet", "--app=qwixx_service", "worker", *ALONE]
    process = subprocess.Popen(command, env=os.environ | environment)
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
