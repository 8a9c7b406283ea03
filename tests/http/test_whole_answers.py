"""Answers of the fast lane, which are written in one piece past uvicorn's own way: HTTP as everybody else speaks it."""

import socket
import struct
from collections.abc import Iterator

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.http.lines import answers, asked
from tests.http.served import Served

PIPELINED = 300  # within what a token may ask for in a burst


@pytest.fixture
def bob(service: Served, ann: httpx.Client) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.address, timeout=30) as client:
        token = client.post("/api/v1/players/guests", json={"name": "Bob"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


def test_an_answer_has_all_headers_and_leaves_in_one_piece(ann: httpx.Client, path: str, line: socket.socket) -> None:
    line.sendall(asked(ann, path, "GET", "X-Request-ID: mine"))
    [(head, body)] = answers(line, 1)
    assert head.startswith("http/1.1 200 ok\r\n")
    names = [text.split(":")[0] for text in head.split("\r\n")[1:]]
    assert len(names) == len(set(names))
    assert {"date", "content-type", "content-length", "etag", "cache-control", "x-request-id"} <= set(names)
    assert "x-request-id: mine" in head
    assert body.startswith(b'{"id":')
    assert httpx.Response(200, content=body).json() == ann.get(path).json() | {
        "server_time": httpx.Response(200, content=body).json()["server_time"]
    }


def test_several_requests_at_once_are_answered_in_their_order(
    ann: httpx.Client, path: str, line: socket.socket
) -> None:
    line.sendall(b"".join(asked(ann, path, "GET", f"X-Request-ID: number-{number}") for number in range(5)))
    heads = [head for head, _ in answers(line, 5)]
    assert [f"x-request-id: number-{number}" in head for number, head in enumerate(heads)] == [True] * 5


@pytest.mark.parametrize(("version", "header"), [("1.1", "Connection: close"), ("1.0", "Accept: */*")])
def test_a_client_that_wants_one_answer_is_told_that_it_was_the_last(
    ann: httpx.Client, path: str, line: socket.socket, version: str, header: str
) -> None:
    line.sendall(asked(ann, path, "GET", header, version=version))
    [(head, body)] = answers(line, 1)
    assert "connection: close" in head
    assert body
    assert line.recv(1) == b""


def test_a_header_given_twice_is_a_list_in_every_door(ann: httpx.Client, path: str, line: socket.socket) -> None:
    """Two tokens are none; two tags are a list of tags."""
    etag, good, bad = ann.get(path).headers["etag"], ann.headers["authorization"], "Bearer qx_" + "x" * 43
    doors = (path, "/api/v1/players/me", f"{path}/stream")
    for door in doors:
        for tokens in ((good, bad), (bad, good)):
            assert (
                httpx.get(ann.base_url.join(door), headers=[("Authorization", each) for each in tokens]).status_code
                == 401
            )
    for tags in ((etag, '"0"'), ('"0"', etag)):
        line.sendall(asked(ann, path, "GET", *(f"If-None-Match: {tag}" for tag in tags)))
        assert line.recv(65536).startswith(b"HTTP/1.1 304 ")


def test_whoever_goes_away_with_requests_under_way_is_no_error(
    service: Served, ann: httpx.Client, path: str, line: socket.socket
) -> None:
    before = service.log.read_text()
    line.sendall(asked(ann, f"{path}/events?after=999&wait=1") + asked(ann, path, "GET", "X-Request-ID: left-behind"))
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()
    assert ann.get(f"{path}/events?after=999&wait=2").status_code == 200  # by then the other has been answered
    assert service.log.read_text() == before


def test_what_a_client_has_already_is_answered_without_a_body(
    ann: httpx.Client, path: str, line: socket.socket
) -> None:
    etag = ann.get(path).headers["etag"]
    line.sendall(asked(ann, path, "GET", f"If-None-Match: {etag}"))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(65536)
    assert head.startswith(b"HTTP/1.1 304 ")
    assert b"content-length" not in head.lower()
    assert b"transfer-encoding" not in head.lower()
    line.sendall(asked(ann, path, "HEAD"))  # and the line is as good as before
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(65536)
    assert head.startswith(b"HTTP/1.1 200 ")
    assert head.endswith(b"\r\n\r\n")


def test_a_client_that_reads_late_gets_every_answer(
    ann: httpx.Client, bob: httpx.Client, path: str, line: socket.socket
) -> None:
    """From some answer on there is no more room for it, and the server has to wait until it is read."""
    for _ in range(48):
        assert bob.post(f"{path}/join").status_code == 200
        assert bob.post(f"{path}/leave").status_code == 200
    whole, before = ann.get(f"{path}/events?limit=1000").content, answered(ann)
    line.sendall(b"".join(asked(ann, f"{path}/events?limit=1000") for _ in range(PIPELINED)))
    seen = -1.0
    while seen < (seen := answered(ann)):
        pass
    assert seen - before < PIPELINED
    assert {body for _, body in answers(line, PIPELINED)} == {whole}


def answered(http: httpx.Client) -> float:
    """How often anybody was told events."""
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
