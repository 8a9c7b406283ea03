"""Limits of connections against a running service: size and time of heads, time of bodies, slow readers, addresses."""

import contextlib
import inspect
import socket
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from players.limits import budgets
from qwixx_service.http.connections.http_protocol import LimitedHttpProtocol
from qwixx_service.http.connections.socket_protocol import LimitedSocketProtocol
from tests.http.raw_http import responses
from tests.http.web_server import FEW_CONNECTIONS, WebServer
from tests.server import web_process

LARGE_FILE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + "A" * 22 + "=="
)

BASE_DIR = Path(__file__).resolve().parents[2]

Connect = Callable[[], socket.socket]


@pytest.fixture(scope="module")
def impatient(django_db_setup: None) -> Iterator[WebServer]:
    with (
        tempfile.NamedTemporaryFile() as log,
        web_process("tests.http.impatient_application:application", log=log) as address,
    ):
        answer = httpx.get(f"{address}/readyz", timeout=60)
        assert answer.status_code == 200, answer.text
        assert httpx.get(f"{address}/admin/login/", timeout=60).status_code == 200  # imports what Django needs
        yield WebServer(address, Path(log.name))
        assert Path(log.name).read_text() == ""  # no client that is limited may write to the log


@pytest.fixture
def connect(impatient: WebServer, transactional_db: None) -> Iterator[Connect]:
    address = urlsplit(impatient.address)
    with contextlib.ExitStack() as stack:

        def opened() -> socket.socket:
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(10)
            connection.connect((address.hostname, address.port))
            return connection

        yield opened


def rest_of(connection: socket.socket) -> bytes:
    """Everything until the service ends the connection."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while more := connection.recv(65536):
            data += more
    return data


def assert_problem(response: bytes, status: int, code: str) -> None:
    head, _, body = response.partition(b"\r\n\r\n")
    lines = head.decode().lower().split("\r\n")
    assert lines[0].startswith(f"http/1.1 {status} ")
    assert {"content-type: application/problem+json", "connection: close", f"content-length: {len(body)}"} <= {*lines}
    document = httpx.Response(status, content=body).json()
    assert (document["status"], document["code"]) == (status, code)
    assert f"x-request-id: {document['request_id']}" in lines


def answers_quickly(service: WebServer) -> None:
    """A route of Django's and one without Django; sooner than slow clients are given up."""
    for path in ("/api/v1/version", "/healthz"):
        began = monotonic()
        assert httpx.get(service.address + path).status_code == 200
        assert monotonic() - began < 1.0


def rejected(service: WebServer, limit: str) -> float:
    metrics = text_string_to_metric_families(httpx.get(f"{service.address}/metrics").text)
    (family,) = [family for family in metrics if family.name == "qwixx_http_rejected"]
    return sum(each.value for each in family.samples if each.name.endswith("_total") and each.labels["limit"] == limit)


def wait_for(is_true: Callable[[], bool]) -> None:
    until = monotonic() + 10
    while not is_true():
        assert monotonic() < until


def head(*fields: str, path: str = "/healthz") -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *fields, "", ""]).encode()


TOO_LARGE = {
    "one long field": head("A: " + "x" * budgets.HEAD_BYTES),
    "many bytes in few fields": head(*(f"A{number}: {'x' * 4000}" for number in range(9))),
    "a long address": head(path="/healthz?" + "x" * budgets.HEAD_BYTES),
    "one field too many": head(*["a: b"] * budgets.HEAD_FIELDS),
    "a head without an end": b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 700_000,
    "a value without an end": b"GET / HTTP/1.1\r\na: " + b"x" * 4_000_000,
    "an address without an end": b"GET /" + b"x" * 4_000_000,
    "the head of a socket": head(UPGRADE, "A: " + "x" * budgets.HEAD_BYTES, path="/ws/v1/me"),
    "too many fields of a socket": head(UPGRADE, *["a: b"] * budgets.HEAD_FIELDS, path="/ws/v1/me"),
}


@pytest.mark.parametrize("request_head", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_head_that_is_too_large_is_refused_and_its_connection_is_closed(
    impatient: WebServer, connect: Connect, request_head: bytes
) -> None:
    connection = connect()
    connection.sendall(request_head)
    assert_problem(rest_of(connection), 431, "head_too_large")
    answers_quickly(impatient)


def test_a_head_within_the_limits_is_accepted_in_one_packet_or_in_many(connect: Connect) -> None:
    longest = budgets.HEAD_BYTES - 1500
    largest = head(*["a: b"] * (budgets.HEAD_FIELDS - 2), "c: " + "x" * longest)
    for sizes in (len(largest), 1000):
        connection = connect()
        for start in range(0, len(largest), sizes):
            connection.sendall(largest[start : start + sizes])
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_many_requests_in_one_packet_are_not_taken_for_one_large_head(connect: Connect) -> None:
    connection = connect()
    pipelined = head("a: " + "x" * 3000) * 20
    connection.sendall(pipelined + b"GET /healthz HTTP/1.1\r\n")
    connection.sendall(b"Host: 127.0.0.1\r\nConnection: close\r\n\r\n")
    assert rest_of(connection).count(b"HTTP/1.1 200 ") == 21


def test_a_body_in_the_packet_of_its_head_does_not_count_as_head(connect: Connect) -> None:
    connection = connect()
    body = b"x" * (budgets.BODY_BYTES - 1)
    fields = ("Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close")
    connection.sendall(head(*fields, path="/api/v1/players/guests").replace(b"GET", b"POST") + body)
    response = rest_of(connection)
    assert response.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"malformed"' in response


def test_a_refusal_is_told_in_the_language_of_the_client(connect: Connect) -> None:
    connection = connect()
    connection.sendall(head("Accept-Language: de", "X-Request-ID: mine", *["a: b"] * budgets.HEAD_FIELDS))
    response = rest_of(connection)
    assert "Kopf der Anfrage zu groß".encode() in response
    assert b"X-Request-ID: mine" in response


def test_bytes_that_are_not_http_get_a_problem_document(impatient: WebServer, connect: Connect) -> None:
    connection = connect()
    connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 500)
    assert_problem(rest_of(connection), 400, "malformed")
    for host in ("elsewhere.example", "x" * 3000):
        assert httpx.get(f"{impatient.address}/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("start", [b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: te"])
def test_a_head_that_is_not_complete_in_time_is_too_slow(connect: Connect, start: bytes) -> None:
    connection = connect()
    connection.sendall(start)
    assert_problem(rest_of(connection), 408, "too_slow")


def test_a_head_that_arrives_byte_by_byte_is_too_slow(connect: Connect) -> None:
    connection = connect()
    with contextlib.suppress(ConnectionError):
        until = monotonic() + 10
        connection.settimeout(0.05)
        connection.sendall(b"GET / HTTP/1.1\r\na: ")
        while monotonic() < until:
            connection.sendall(b"b")
            with contextlib.suppress(TimeoutError):
                response = connection.recv(65536)
                break
    assert_problem(response, 408, "too_slow")


@pytest.mark.parametrize("start", [b"", b"\r\n", head()])
def test_a_connection_without_a_request_is_closed(connect: Connect, start: bytes) -> None:
    """Also after a response, if only line breaks follow, which end uvicorn's own timeout."""
    connection = connect()
    if start:
        connection.sendall(start)
    if start == head():
        responses(connection, 1)
        connection.sendall(b"\r\n")
    assert rest_of(connection) == b""


@pytest.mark.parametrize("path", ["/api/v1/players/guests", "/api/v1/sessions", "/admin/login/", "/"])
def test_bodies_that_do_not_arrive_in_time_are_too_slow_and_hold_no_thread(
    impatient: WebServer, connect: Connect, path: str
) -> None:
    slow = [connect() for _ in range(20)]
    for connection in slow:
        fields = ("Content-Type: application/json", "Content-Length: 100")
        connection.sendall(head(*fields, path=path).replace(b"GET", b"POST") + b"{")
    answers_quickly(impatient)
    assert httpx.get(f"{impatient.address}/admin/login/").status_code == 200
    for connection in slow:
        assert_problem(rest_of(connection), 408, "too_slow")


def test_a_body_that_goes_on_after_the_response_ends_the_connection(connect: Connect) -> None:
    """The hot routes refuse a request without a token before they read its body."""
    connection = connect()
    path = "/api/v1/games/0192f0c0-0000-7000-8000-000000000000/actions"
    connection.sendall(head("Content-Length: 1000", path=path).replace(b"GET", b"POST"))
    response = rest_of(connection)
    assert response.startswith(b"HTTP/1.1 401 ")
    assert response.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("trailer", [b"a: b\r\n" * 100_000, b"a: " + b"x" * 600_000])
def test_a_trailer_is_limited_like_a_head(connect: Connect, trailer: bytes) -> None:
    connection = connect()
    connection.sendall(head("Transfer-Encoding: chunked").replace(b"GET", b"POST") + b"1\r\nx\r\n0\r\n")
    with contextlib.suppress(ConnectionError):
        connection.sendall(trailer)
    assert b"HTTP/1.1 200" not in rest_of(connection)


def test_an_unfinished_head_behind_a_long_poll_does_not_end_it(impatient: WebServer, connect: Connect) -> None:
    with httpx.Client(base_url=impatient.address) as http:
        token = http.post("/api/v1/players/guests", json={}).json()["token"]
        authorization = {"Authorization": f"Bearer {token}"}
        game = http.post("/api/v1/games", json={"ruleset": "qwixx"}, headers=authorization).json()
    connection = connect()
    events = f"/api/v1/games/{game['id']}/events?after={game['version']}&wait=2"
    connection.sendall(head(f"Authorization: Bearer {token}", path=events) + b"GET /healthz HTTP/1.1\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
    connection.sendall(b"Host: 127.0.0.1\r\nConnection: close\r\n\r\n")
    assert b"HTTP/1.1 200 " in rest_of(connection)


def test_requests_that_wait_on_one_connection_are_limited(impatient: WebServer, connect: Connect) -> None:
    before = rejected(impatient, "too_many_requests")
    connection = connect()
    with contextlib.suppress(ConnectionError):
        connection.sendall(head(path=LARGE_FILE) + b"GET / HTTP/1.1\r\n\r\n" * 100_000)
    wait_for(lambda: rejected(impatient, "too_many_requests") > before)
    answers_quickly(impatient)


def test_connections_of_one_address_are_limited_and_counted_again_after_they_end(
    impatient: WebServer, connect: Connect
) -> None:
    before = rejected(impatient, "connections")
    held = [connect() for _ in range(FEW_CONNECTIONS)]
    assert was_refused(impatient)
    for connection in held:
        connection.close()
    wait_for(lambda: not was_refused(impatient))
    assert rejected(impatient, "connections") > before


def was_refused(service: WebServer) -> bool:
    try:
        return httpx.get(f"{service.address}/healthz").status_code != 200
    except httpx.TransportError:
        return True


def test_a_refused_socket_is_counted_as_a_connection_until_it_ends(impatient: WebServer, connect: Connect) -> None:
    """Its client need not answer the close frame: uvicorn waits for that."""
    held = []
    while not was_refused(impatient):
        held.append(connect())
        held[-1].sendall(head(UPGRADE, path="/ws/v1/me"))
        held[-1].recv(12)
    assert FEW_CONNECTIONS - 5 <= len(held) <= FEW_CONNECTIONS
    for connection in held:
        connection.close()
    wait_for(lambda: not was_refused(impatient))


def test_clients_that_do_not_read_a_large_file_hold_no_thread_and_are_disconnected(
    impatient: WebServer, connect: Connect
) -> None:
    before = rejected(impatient, "unread")
    slow = [connect() for _ in range(12)]
    for connection in slow:
        connection.sendall(head(path=LARGE_FILE) * 10)  # more than the kernel buffers
    answers_quickly(impatient)
    assert httpx.get(impatient.address + LARGE_FILE).status_code == 200
    wait_for(lambda: rejected(impatient, "unread") >= before + len(slow))


def test_the_hooks_into_uvicorn_exist() -> None:
    """They are not documented: uvicorn is pinned, and a new version is checked here before it is taken."""
    dependencies = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["dependencies"]
    assert f"uvicorn[standard]=={version('uvicorn')}" in dependencies
    hooks = {name for name in vars(LimitedHttpProtocol) if name in dir(HttpToolsProtocol) and not name.startswith("_")}
    assert hooks == {
        *("connection_made", "connection_lost", "data_received", "handle_websocket_upgrade", "send_400_response"),
        *("on_message_begin", "on_headers_complete", "on_body", "on_message_complete"),
        *("pause_writing", "resume_writing"),
    }
    protocol, cycle = inspect.getsource(HttpToolsProtocol), inspect.getsource(RequestResponseCycle)
    for name in ("transport", "flow", "client", "headers", "url", "cycle", "pipeline", "loop", "server_state"):
        assert f"self.{name} = " in protocol or f"self.{name}: " in protocol, name
    for name in ("response_started", "response_complete", "disconnected", "message_event"):
        assert f"self.{name} = " in cycle, name
    assert "self.send_400_response(" in protocol


def test_the_hooks_into_the_socket_protocol_of_uvicorn_exist() -> None:
    stock = inspect.getsource(WebSocketsSansIOProtocol)
    hooks = {name for name in vars(LimitedSocketProtocol) if name in dir(WebSocketsSansIOProtocol)}
    called = {"handle_connect", "handle_text", "handle_bytes", "handle_cont", "handle_ping", "handle_pong"}
    assert called | {"connection_made", "connection_lost", "data_received"} == {
        name for name in hooks if name[0] != "_"
    }
    for name in called:
        assert f"self.{name}(" in stock, name
    for name in ("transport", "loop", "frames", "handshake_complete"):
        assert f"self.{name} = " in stock or f"self.{name}: " in stock, name
