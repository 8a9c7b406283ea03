"""A server that speaks the part of S3 that the archive uses, checks signatures (SigV4), and fails as a test says."""

import contextlib
import hashlib
import hmac
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, urlsplit

KEY_ID, SECRET, REGION = "archive-test", "a-secret-for-tests", "eu-central-1"


class ObjectServer:
    """`objects` by path; `script`: the status of the next requests, 0 for a connection that is cut."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.script: list[int] = []
        self.url = ""

    def bucket(self, prefix: str = "games") -> str:
        return f"s3://logs/{prefix}?endpoint={self.url}&region={REGION}"


class ObjectRequest(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: ObjectServer

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self._is_accepted(body):
            self.owner.objects[urlsplit(self.path).path] = body
            self._answer(200, b"", ETag=f'"{hashlib.md5(body).hexdigest()}"')  # noqa: S324

    def do_HEAD(self) -> None:
        self._get()

    def do_GET(self) -> None:
        self._get()

    def _get(self) -> None:
        if not self._is_accepted(b""):
            return
        found = self.owner.objects.get(urlsplit(self.path).path)
        if found is None:
            self._refuse(404, "NoSuchKey")
            return
        etag, status = f'"{hashlib.md5(found).hexdigest()}"', 200  # noqa: S324
        if wanted := self.headers.get("Range"):
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            found, status = found[int(first) : int(last) + 1 if last else None], 206
        self._answer(status, found, **{"ETag": etag, "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"})

    def _is_accepted(self, body: bytes) -> bool:
        status = self.owner.script.pop(0) if self.owner.script else 200
        if status == 0:
            self.close_connection = True
            self.connection.close()
        elif status != 200:
            self._refuse(status, "SlowDown" if status == 503 else "AccessDenied")
        elif not hmac.compare_digest(self._signature(body), self.headers["Authorization"].rpartition("Signature=")[2]):
            self._refuse(403, "SignatureDoesNotMatch")
        else:
            return True
        return False

    def _signature(self, body: bytes) -> str:
        """Signature version 4, from the request as it came."""
        names = self.headers["Authorization"].partition("SignedHeaders=")[2].partition(",")[0].split(";")
        parts = urlsplit(self.path)
        query = "&".join(f"{quote(name, '~')}={quote(value, '~')}" for name, value in sorted(parse_qsl(parts.query)))
        signed = "".join(f"{name}:{' '.join(self.headers[name].split())}\n" for name in names)
        content = self.headers["x-amz-content-sha256"]
        if content != "UNSIGNED-PAYLOAD" and content != hashlib.sha256(body).hexdigest():
            return ""
        canonical = "\n".join([self.command, parts.path, query, signed, ";".join(names), content])
        at = self.headers["x-amz-date"]
        scope = f"{at[:8]}/{REGION}/s3/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{at}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        key = f"AWS4{SECRET}".encode()
        for part in (at[:8], REGION, "s3", "aws4_request"):
            key = hmac.digest(key, part.encode(), "sha256")
        return hmac.new(key, text.encode(), "sha256").hexdigest()

    def _refuse(self, status: int, code: str) -> None:
        body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>no</Message></Error>".encode()
        self._answer(status, body, **{"Content-Type": "application/xml"})

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def object_server() -> Iterator[ObjectServer]:
    owner = ObjectServer()
    handler = type("BoundObjectRequest", (ObjectRequest,), {"owner": owner})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        owner.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield owner
        server.shutdown()
        thread.join()
