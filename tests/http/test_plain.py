"""Calls that are read at one glance, past the server's parser, mean what it says, and are answered alike."""

import re
import socket

import httptools
import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qwixx_service.http import plain
from tests.http.lines import answers, asked

GAME = "/api/v1/games/0192f0c0-0000-7000-8000-000000000000"
LINES = ("Host: x", "Accept: */*", "authorization: Bearer qx_1", "Content-Type:  application/json", "X-A: b ", "A:b")
ODD = ("Connection: close", "Connection: Keep-Alive", "Expect: 100-continue", "Transfer-Encoding: chunked", "Host: y",
       "Upgrade: websocket", "Content-Length: 1", "Content-Length: +2", "X: a\x00", "X: ä", "X :a", " folded",
       "X: a\rb", "A\nB: c", "TE: trailers", "Proxy-Connection: close")  # fmt: skip
BODIES = ("", "{}", '{"type":"pass"}', "0\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n")


class Parsed:
    """What the parser says of the same bytes."""

    def __init__(self, data: bytes) -> None:
        self.url, self.body = b"", b""
        self.pairs: list[tuple[bytes, bytes]] = []
        self.began = self.ended = 0
        self.parser = httptools.HttpRequestParser(self)
        self.parser.feed_data(data)

    def on_message_begin(self) -> None:
        self.began += 1

    def on_url(self, url: bytes) -> None:
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.pairs.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.ended += 1


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Nearly as they should be."""
    method = draw(st.sampled_from(["GET", "POST", "GET", "POST", "PUT", "get"]))
    url = GAME + draw(
        st.sampled_from(["", "/actions", "/events", "/", "/actions?dry_run=true", "?version=3", "?a=%41", "#x"])
    )
    lines = draw(st.lists(st.sampled_from(LINES), max_size=4, unique=True)) + draw(
        st.lists(st.sampled_from(ODD), max_size=1)
    )
    body = draw(st.sampled_from(BODIES))
    length = draw(st.sampled_from([len(body), len(body), len(body), len(body) + 1, max(0, len(body) - 1), None]))
    lines += [] if length is None else [f"Content-Length: {length}"]
    version = draw(st.sampled_from(["1.1", "1.1", "1.1", "1.0", "2.0"]))
    end = draw(st.sampled_from(["\r\n", "\r\n", "\r\n", "\n"]))
    return (end.join([f"{method} {url} HTTP/{version}", *lines, "", ""]) + body).encode()


@given(requests())
@example(f"POST {GAME}/actions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{{}}".encode())
@example(f"GET {GAME} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
def test_what_is_read_at_one_glance_is_what_the_parser_reads(data: bytes) -> None:
    call = plain.read(data)
    if call is None:
        return
    parsed = Parsed(data)
    assert (parsed.began, parsed.ended, parsed.parser.should_upgrade()) == (1, 1, False)
    assert parsed.parser.should_keep_alive()
    assert parsed.parser.get_http_version() == "1.1"
    assert parsed.parser.get_method() == call.method.encode()
    url = httptools.parse_url(parsed.url)
    request = call.request
    assert (url.path, url.query or b"") == (request.path.encode(), request._query)
    assert dict(parsed.pairs) == request.headers
    assert len(parsed.pairs) == len(request.headers)
    assert parsed.body == request._body


@pytest.mark.parametrize("odd", ODD)
def test_whatever_is_unusual_is_left_to_the_parser(odd: str) -> None:
    plainly = f"GET {GAME} HTTP/1.1\r\nHost: x\r\n"
    assert plain.read(f"{plainly}\r\n".encode())
    is_read = plain.read(f"{plainly}{odd}\r\n\r\n".encode()) is not None
    assert is_read == (odd == "Connection: Keep-Alive")


def test_clients_of_every_kind_are_read_at_one_glance() -> None:
    """As they were seen to write: curl, httpx and Chromium."""
    usual = {
        "curl": "Host: 127.0.0.1:8000\nUser-Agent: curl/7.88.1\nAccept: */*\nAuthorization: Bearer qx_1",
        "httpx": "Host: 127.0.0.1:8000\nAccept: */*\nAccept-Encoding: gzip, deflate\nConnection: keep-alive\n"
        "User-Agent: python-httpx/0.28.1",
        "Chromium": 'Host: localhost\nConnection: keep-alive\nsec-ch-ua: "Chromium";v="142", "Not?A_Brand";v="8"\n'
        "sec-ch-ua-mobile: ?0\nAccept: application/json\nReferer: http://localhost/table/K7QXM2\nAccept-Language: de",
    }
    for client, lines in usual.items():
        head = "\r\n".join([f"GET {GAME} HTTP/1.1", *lines.split("\n"), "", ""])
        assert plain.read(head.encode()), client


SAID_ANEW = re.compile(rb'"(server_time|request_id)":"[^"]*"')


@pytest.mark.parametrize(
    ("end", "headers", "body"),
    [
        ("", [], None),
        ("", ["If-None-Match: *"], None),
        ("?version=1", [], None),
        ("?version=x", ["Accept-Language: de"], None),
        ("?version=99", [], None),
        ("", ["Authorization: Bearer qx_nobody"], None),
        ("", ["Origin: https://elsewhere.example"], None),
        ("", ["X-Request-ID: my own"], None),
        ("/actions", [], '{"type":"roll"}'),
        ("/actions", [], ""),
        ("/actions", [], "{"),
        ("/actions", ["Content-Type: text/plain"], '{"type":"roll"}'),
        ("/actions?dry_run=true", [], '{"type":"pass"}'),
        ("/actions", ['If-Match: "7"'], '{"type":"roll"}'),
    ],
)
def test_a_call_read_at_one_glance_is_answered_like_one_that_comes_in_bits(
    ann: httpx.Client, path: str, line: socket.socket, end: str, headers: list[str], body: str | None
) -> None:
    if any(header.startswith("Authorization") for header in headers):
        ann.headers["Authorization"] = headers.pop().split(": ")[1]
    lengths = [] if body is None else [f"Content-Length: {len(body)}"]
    request = asked(ann, path + end, "GET" if body is None else "POST", *headers, *lengths) + (body or "").encode()
    assert plain.read(request)
    line.sendall(request)
    at_a_glance = answer(line)
    line.sendall(request[:40])
    line.sendall(request[40:])  # may come together after all, and then is no worse
    assert answer(line) == at_a_glance
    line.sendall(request[:-1])
    ann.get("/healthz")  # by now the first bit was read
    line.sendall(request[-1:])
    assert answer(line) == at_a_glance


def answer(line: socket.socket) -> tuple[str, set[str], bytes]:
    """Its status, the names of its headers, and what of its body is not said anew every time."""
    [(head, body)] = answers(line, 1)
    status, *lines = head.split("\r\n")
    return status, {text.split(":")[0] for text in lines}, SAID_ANEW.sub(b"", body)


def test_calls_that_come_while_one_is_answered_keep_their_order(
    ann: httpx.Client, path: str, line: socket.socket
) -> None:
    calls = [asked(ann, path, "GET", f"X-Request-ID: number-{number}") for number in range(4)]
    line.sendall(calls[0])
    line.sendall(calls[1] + calls[2])
    line.sendall(calls[3])
    heads = [head for head, _ in answers(line, 4)]
    assert [f"x-request-id: number-{number}" in head for number, head in enumerate(heads)] == [True] * 4
