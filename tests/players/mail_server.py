"""A mail server for tests, with a worker that sends mails to it."""

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

TIMEOUT_S = 60
WORKER_OPTIONS = ("--pool=solo", "--without-mingle", "--without-gossip", "--without-heartbeat")


class Mailbox:
    """The received mails, in order."""

    def __init__(self) -> None:
        self._mails: queue.Queue[EmailMessage] = queue.Queue()

    def put(self, raw: bytes) -> None:
        self._mails.put(email.message_from_bytes(raw, policy=email.policy.default))

    def next(self) -> EmailMessage:
        return self._mails.get(timeout=TIMEOUT_S)


class SmtpHandler(socketserver.StreamRequestHandler):
    """The part of SMTP that a client needs to deliver mail."""

    mailbox: Mailbox

    def handle(self) -> None:
        self._reply("220 ready")
        while line := self.rfile.readline():
            match line.strip().upper().split(b" ")[0]:
                case b"DATA":
                    self._reply("354 go ahead")
                    self.mailbox.put(b"".join(iter(self.rfile.readline, b".\r\n")))
                    self._reply("250 stored")
                case b"QUIT":
                    self._reply("221 bye")
                    return
                case _:
                    self._reply("250 ok")

    def _reply(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")


@contextlib.contextmanager
def mail_server() -> Iterator[Mailbox]:
    mailbox = Mailbox()
    handler = type("Handler", (SmtpHandler,), {"mailbox": mailbox})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server, _worker(server.server_address[1]):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield mailbox
        server.shutdown()


@contextlib.contextmanager
def _worker(port: int) -> Iterator[None]:
    environment = {
        "DATABASE_URL": database_url(),
        "EMAIL_URL": f"smtp://127.0.0.1:{port}",
        "PUBLIC_URL": "https://play.example.org",
    }
    ignored = ("-W", "ignore:You're running the worker with superuser")
    command = [sys.executable, *ignored, "-m", "celery", "--quiet", "--app=qwixx_service", "worker", *WORKER_OPTIONS]
    process = subprocess.Popen(command, env=os.environ | environment)
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(TIMEOUT_S)
