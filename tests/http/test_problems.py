"""Every error of the frameworks beneath is a problem document, over a real connection."""

import json
import socket
from base64 import b64encode
from http.client import HTTPResponse
from typing import Any

import httpx
import pytest

from players.languages.accept_language import LANGUAGES
from qwixx_service.http.errors import STATUS
from tests.http.served import ORIGIN, SECRET, Served

GUESTS = "/api/v1/players/guests"
NOBODY = "/api/v1/games/0192f0c0-0000-7000-8000-000000000000"
JSON = {"Content-Type": "application/json"}


def problem(answer: httpx.Response, code: str) -> dict[str, Any]:
    """The document, once it is seen to be one."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    said: dict[str, Any] = answer.json()
    assert (said["code"], said["status"], answer.status_code) == (code, STATUS[code], STATUS[code])
    assert said["request_id"] == answer.headers["x-request-id"]
    assert said["type"] == f"/api/docs/errors#{code}"
    assert said["title"]
    assert said["detail"]
    assert "Traceback" not in answer.text
    return said


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api/", "/api/v1/games/", "/nothing", "/healthz/", "/static/none.css", "/api/v1/%00"]
)
def test_an_address_that_is_not_there(http: httpx.Client, path: str) -> None:
    problem(http.get(path), "not_found")


def test_a_person_who_gets_lost_sees_a_page(http: httpx.Client) -> None:
    answer = http.get("/nothing", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    problem(http.get("/api/nothing", headers={"Accept": "text/html"}), "not_found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/healthz"),
        ("DELETE", "/readyz"),
        ("PUT", "/metrics"),
        ("POST", "/api/v1/openapi.json"),
        ("DELETE", "/api/v1/version"),
        ("GET", GUESTS),
        ("POST", "/static/admin/css/base.css"),
    ],
)
def test_a_method_that_an_address_does_not_know(http: httpx.Client, method: str, path: str) -> None:
    answer = http.request(method, path)
    problem(answer, "method_not_allowed")
    assert method not in answer.headers["allow"].split(", ")


@pytest.mark.parametrize("path", [NOBODY, f"{NOBODY}/actions", f"{NOBODY}/events", f"{NOBODY}/stream"])
def test_a_method_that_the_fast_lane_does_not_know(ann: httpx.Client, path: str) -> None:
    answer = ann.put(path)
    problem(answer, "method_not_allowed")
    assert {"GET", "POST"} & set(answer.headers["allow"].split(", "))


@pytest.mark.parametrize("path", ["/api/v1/games", NOBODY, f"{NOBODY}/events", f"{NOBODY}/proof"])
@pytest.mark.parametrize("token", [None, "", "Bearer", "Bearer qx_no", "Basic YTpi"])
def test_who_has_no_valid_token_is_told_how_to_come_by_in_both_lanes(
    http: httpx.Client, path: str, token: str | None
) -> None:
    answer = http.get(path, headers={"Authorization": token} if token is not None else {})
    problem(answer, "not_authenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", ["/proof", "/export", "", "/events"])
def test_a_game_that_is_not_there_in_both_lanes(ann: httpx.Client, path: str) -> None:
    problem(ann.get(NOBODY + path), "not_found")


MALFORMED = {
    "not JSON": b"{",
    "a number": b"1",
    "a list": b"[]",
    "null": b"null",
    "text after the document": b"{} {}",
    "not UTF-8": b'{"name": "\xff"}',
    "half a surrogate pair": b'{"name": "\\ud800"}',
    "NUL": b'{"name": "\\u0000"}',
    "NUL as it is": b'{"name": "\x00"}',
    "NUL in a member's name": b'{"\\u0000": 1}',
    "the same member twice": b'{"name": "a", "name": "b"}',
    "not a number": b'{"name": NaN}',
    "a number beyond all others": b'{"name": 1e999}',
    "a number of too many digits": b'{"name": ' + b"9" * 5000 + b"}",
    "deep nesting": b'{"name": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "deep nesting that never ends": b"[" * 60_000,
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_a_body_that_cannot_be_read(http: httpx.Client, body: bytes) -> None:
    said = problem(http.post(GUESTS, content=body, headers=JSON), "malformed")
    assert set(said["errors"][0]) == {"pointer", "code", "detail"}


def test_where_a_body_is_wrong_is_pointed_at(http: httpx.Client) -> None:
    said = problem(http.post(GUESTS, json={"name": "Ann", "device": "\0"}), "malformed")
    assert said["errors"][0]["pointer"] == "/device"


def test_a_charset_that_json_does_not_have(http: httpx.Client) -> None:
    headers = {"Content-Type": "application/json; charset=latin-1"}
    problem(http.post(GUESTS, content=b"{}", headers=headers), "malformed")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "*/*", "x"])
def test_a_body_that_is_not_json_by_its_own_word(http: httpx.Client, kind: str) -> None:
    problem(http.post(GUESTS, content=b"{}", headers={"Content-Type": kind}), "unsupported_media_type")


def test_json_needs_no_label_and_no_body_where_no_member_is_needed(http: httpx.Client) -> None:
    assert http.post(GUESTS).status_code == 201
    assert http.post(GUESTS, content=b'{"name": "Ann"}').json()["player"]["name"] == "Ann"
    assert http.post(GUESTS, content=iter([b'{"name":', b' "Bob"}']), headers=JSON).json()["player"]["name"] == "Bob"


@pytest.mark.parametrize("is_declared", [True, False])
@pytest.mark.parametrize("path", [GUESTS, "/api/v1/games"])
def test_a_body_that_is_too_large(ann: httpx.Client, path: str, is_declared: bool) -> None:
    body = json.dumps({"name": "x" * 70_000}).encode()
    content = body if is_declared else iter([body[:40_000], body[40_000:]])
    problem(ann.post(path, content=content, headers=JSON), "too_large")
    assert ann.get("/api/v1/version").status_code == 200


def test_a_game_that_is_not_there_comes_before_the_size_of_the_body(ann: httpx.Client) -> None:
    problem(ann.post(f"{NOBODY}/actions", content=b"x" * 70_000), "not_found")


def test_a_body_that_is_too_large_where_none_is_wanted(http: httpx.Client) -> None:
    problem(http.request("GET", "/api/v1/version", content=b"x" * 70_000), "too_large")


@pytest.mark.parametrize(
    ("content", "kind", "code"),
    [
        (b" " * 70_000, "application/json", "too_large"),
        (b"x", "text/plain", "unsupported_media_type"),
        (b"{bad", "application/json", "malformed"),
    ],
)
def test_a_body_is_judged_where_no_member_is_needed(ann: httpx.Client, content: bytes, kind: str, code: str) -> None:
    problem(ann.post("/api/v1/stream-tickets", content=content, headers={"Content-Type": kind}), code)
    assert ann.post("/api/v1/stream-tickets").status_code == 201


def test_who_has_no_token_hears_of_that_before_the_size_of_the_body(http: httpx.Client) -> None:
    problem(http.post("/api/v1/games", content=b"x" * 70_000), "not_authenticated")
    problem(http.post(f"{NOBODY}/actions", content=b"x" * 70_000), "not_authenticated")


@pytest.mark.parametrize("cursor", ["p=garbage", "p=%00", "r=1&p=1", "o=x", "r=x", "\xff"])
def test_a_cursor_that_somebody_made_up(ann: httpx.Client, cursor: str) -> None:
    made_up = b64encode(cursor.encode()).decode()
    said = problem(ann.get("/api/v1/games", params={"cursor": made_up}), "malformed")
    assert said["errors"][0]["pointer"] == "?cursor"


def test_a_host_that_is_none_of_ours(http: httpx.Client) -> None:
    problem(http.get("/api/v1/version", headers={"Host": "elsewhere.example"}), "malformed")


@pytest.mark.parametrize("path", ["/api/v1/fails", "/api/v1/fails-on-the-loop", "/fails"])
def test_what_fails_unexpectedly_tells_a_stranger_nothing(http: httpx.Client, service: Served, path: str) -> None:
    answer = http.get(path, headers={"X-Request-ID": f"seen{path}"})
    problem(answer, "internal")
    assert SECRET not in answer.text
    assert f"RuntimeError: {SECRET}" in service.log.read_text()


def test_what_fails_halfway_is_cut_off(http: httpx.Client) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        http.get("/api/v1/breaks-off")
    assert http.get("/healthz").status_code == 200


def test_a_form_without_its_token_is_refused(http: httpx.Client) -> None:
    problem(http.post("/admin/login/", data={"username": "a"}), "not_allowed")
    page = http.post("/admin/login/", data={"username": "a"}, headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (403, "text/html; charset=utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_lanes_speak_every_language(http: httpx.Client, language: str) -> None:
    said = [
        problem(http.get(path, headers={"Accept-Language": f"{language}-XX, fr;q=0.9"}), "not_authenticated")
        for path in (NOBODY, "/api/v1/games")
    ]
    assert said[0]["title"] == said[1]["title"]
    assert (said[0]["title"] == "Not authenticated") == (language == "en")


def test_a_page_of_a_named_origin_can_use_both_lanes(http: httpx.Client) -> None:
    for path in (NOBODY, "/api/v1/games"):
        asked = http.options(path, headers={"Origin": ORIGIN, "Access-Control-Request-Method": "GET"})
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (204, ORIGIN)
        assert http.get(path, headers={"Origin": ORIGIN}).headers["access-control-allow-origin"] == ORIGIN


def test_a_page_that_can_only_be_read_says_so(http: httpx.Client) -> None:
    answer = http.options("/api/docs/")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", ["/", "/lobby", "/manifest.webmanifest"])
def test_a_page_has_problems_for_whoever_does_not_ask_for_html(http: httpx.Client, path: str) -> None:
    answer = http.options(path)
    problem(answer, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD"
    assert http.options(path, headers={"Accept": "text/html"}).status_code == 405


@pytest.mark.parametrize(
    "request_", [b"rubbish\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00"]
)
def test_what_is_not_http_at_all_is_told_so_in_a_problem_document(service: Served, request_: bytes) -> None:
    address = httpx.URL(service.address)
    with socket.create_connection((address.host, address.port or 80), timeout=30) as line:
        line.sendall(request_)
        answer = HTTPResponse(line)
        answer.begin()
        body = answer.read()
        assert line.recv(1) == b""  # and the line is closed
    problem(httpx.Response(answer.status, headers=answer.getheaders(), content=body), "malformed")
    assert answer.getheader("Connection") == "close"
