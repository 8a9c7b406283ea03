"""Responses of the hot routes on a raw connection: headers, pipelining, keep-alive and back-pressure."""

import socket
import struct
from collections.abc import Iterator

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.http.raw_http import raw_request, responses
from tests.http.web_server import WebServer

PIPELINED = 300  # within the rate limit of a token


@pytest.fixture
def bob(service: WebServer, ann: httpx.Client) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.address, timeout=30) as client:
        token = client.post("/api/v1/players/guests", json={"name": "Bob"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


def test_a_response_has_every_header_once(ann: httpx.Client, path: str, connection: socket.socket) -> None:
    connection.sendall(raw_request(ann, path, "GET", "X-Request-ID: mine"))
    [(head, body)] = responses(connection, 1)
    assert head.startswith("http/1.1 200 ok\r\n")
    names = [text.split(":")[0] for text in head.split("\r\n")[1:]]
    assert len(names) == len(set(names))
    assert {"date", "content-type", "content-length", "etag", "cache-control", "x-request-id"} <= set(names)
    assert "x-request-id: mine" in head
    assert body.startswith(b'{"id":')
    assert httpx.Response(200, content=body).json() == ann.get(path).json() | {
        "server_time": httpx.Response(200, content=body).json()["server_time"]
    }


def test_pipelined_requests_are_answered_in_order(ann: httpx.Client, path: str, connection: socket.socket) -> None:
    connection.sendall(b"".join(raw_request(ann, path, "GET", f"X-Request-ID: number-{number}") for number in range(5)))
    heads = [head for head, _ in responses(connection, 5)]
    assert [f"x-request-id: number-{number}" in head for number, head in enumerate(heads)] == [True] * 5


@pytest.mark.parametrize(("version", "header"), [("1.1", "Connection: close"), ("1.0", "Accept: */*")])
def test_the_connection_of_a_client_without_keep_alive_is_closed(
    ann: httpx.Client, path: str, connection: socket.socket, version: str, header: str
) -> None:
    connection.sendall(raw_request(ann, path, "GET", header, version=version))
    [(head, body)] = responses(connection, 1)
    assert "connection: close" in head
    assert body
    assert connection.recv(1) == b""


def test_a_header_given_twice_is_a_list_in_every_adapter(
    ann: httpx.Client, path: str, connection: socket.socket
) -> None:
    """Two tokens are not a token; two tags are a list of tags."""
    etag, good, bad = ann.get(path).headers["etag"], ann.headers["authorization"], "Bearer qx_" + "x" * 43
    for address in (path, "/api/v1/players/me", f"{path}/stream"):
        for tokens in ((good, bad), (bad, good)):
            assert (
                httpx.get(ann.base_url.join(address), headers=[("Authorization", each) for each in tokens]).status_code
                == 401
            )
    for tags in ((etag, '"0"'), ('"0"', etag)):
        connection.sendall(raw_request(ann, path, "GET", *(f"If-None-Match: {tag}" for tag in tags)))
        assert connection.recv(65536).startswith(b"HTTP/1.1 304 ")


def test_a_client_that_disconnects_during_a_long_poll_is_not_logged_as_an_error(
    service: WebServer, ann: httpx.Client, path: str, connection: socket.socket
) -> None:
    before = len(service.lines())
    connection.sendall(raw_request(ann, f"{path}/events?after=999&wait=1"))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    assert ann.get(f"{path}/events?after=999&wait=2").status_code == 200  # by then the first poll has ended
    assert {line["level"] for line in service.lines()[before:]} <= {"info"}


def test_not_modified_has_no_body_and_the_connection_stays_usable(
    ann: httpx.Client, path: str, connection: socket.socket
) -> None:
    etag = ann.get(path).headers["etag"]
    connection.sendall(raw_request(ann, path, "GET", f"If-None-Match: {etag}"))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(65536)
    assert head.startswith(b"HTTP/1.1 304 ")
    assert b"content-length" not in head.lower()
    assert b"transfer-encoding" not in head.lower()
    connection.sendall(raw_request(ann, path, "HEAD"))
    head = b""
    while b"\r\n\r\n" not in head:
        head += connection.recv(65536)
    assert head.startswith(b"HTTP/1.1 200 ")
    assert head.endswith(b"\r\n\r\n")


def test_a_client_that_reads_late_gets_every_response(
    ann: httpx.Client, bob: httpx.Client, path: str, connection: socket.socket
) -> None:
    """When the buffers are full the server waits until the client reads."""
    for _ in range(48):
        assert bob.post(f"{path}/join").status_code == 200
        assert bob.post(f"{path}/leave").status_code == 200
    whole, before = ann.get(f"{path}/events?limit=1000").content, answered_polls(ann)
    connection.sendall(b"".join(raw_request(ann, f"{path}/events?limit=1000") for _ in range(PIPELINED)))
    seen = -1.0
    while seen < (seen := answered_polls(ann)):
        pass
    assert seen - before < PIPELINED
    assert {body for _, body in responses(connection, PIPELINED)} == {whole}


def answered_polls(http: httpx.Client) -> float:
    """How many requests for events have been answered."""
    (family,) = [
        family
        for family in text_string_to_metric_families(http.get("/metrics").text)
        if family.name == "qwixx_http_request_seconds"
    ]
    return sum(
        sample.value
        for sample in family.samples
        if sample.name.endswith("_count") and sample.labels["route"].endswith("/events")
    )
