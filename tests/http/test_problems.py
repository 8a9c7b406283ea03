"""Every error of Starlette, Django and DRF is a problem document, over a real connection."""

import json
import socket
from base64 import b64encode
from http.client import HTTPResponse
from typing import Any

import httpx
import pytest

from players.languages.accept_language import LANGUAGES
from qwixx_service.http.errors import STATUS
from tests.http.web_server import ORIGIN, SECRET, WebServer

GUESTS = "/api/v1/players/guests"
UNKNOWN_GAME = "/api/v1/games/0192f0c0-0000-7000-8000-000000000000"
JSON = {"Content-Type": "application/json"}


def problem(response: httpx.Response, code: str) -> dict[str, Any]:
    """The problem document of a response, after its checks."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    document: dict[str, Any] = response.json()
    assert (document["code"], document["status"], response.status_code) == (code, STATUS[code], STATUS[code])
    assert document["request_id"] == response.headers["x-request-id"]
    assert document["type"] == f"/api/docs/errors#{code}"
    assert document["title"]
    assert document["detail"]
    assert "Traceback" not in response.text
    return document


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api/", "/api/v1/games/", "/nothing", "/healthz/", "/static/none.css", "/api/v1/%00"]
)
def test_an_unknown_url_is_not_found(http: httpx.Client, path: str) -> None:
    problem(http.get(path), "not_found")


def test_an_unknown_url_is_a_page_for_a_browser(http: httpx.Client) -> None:
    response = http.get("/nothing", headers={"Accept": "text/html"})
    assert (response.status_code, response.headers["content-type"]) == (404, "text/html; charset=utf-8")
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
def test_an_unknown_method_is_not_allowed(http: httpx.Client, method: str, path: str) -> None:
    response = http.request(method, path)
    problem(response, "method_not_allowed")
    assert method not in response.headers["allow"].split(", ")


@pytest.mark.parametrize(
    "path", [UNKNOWN_GAME, f"{UNKNOWN_GAME}/actions", f"{UNKNOWN_GAME}/events", f"{UNKNOWN_GAME}/stream"]
)
def test_an_unknown_method_of_a_hot_route_is_not_allowed(ann: httpx.Client, path: str) -> None:
    response = ann.put(path)
    problem(response, "method_not_allowed")
    assert {"GET", "POST"} & set(response.headers["allow"].split(", "))


@pytest.mark.parametrize("path", ["/api/v1/games", UNKNOWN_GAME, f"{UNKNOWN_GAME}/events", f"{UNKNOWN_GAME}/proof"])
@pytest.mark.parametrize("token", [None, "", "Bearer", "Bearer qx_no", "Basic YTpi"])
def test_a_request_without_a_valid_token_is_not_authenticated(http: httpx.Client, path: str, token: str | None) -> None:
    response = http.get(path, headers={"Authorization": token} if token is not None else {})
    problem(response, "not_authenticated")
    assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", ["/proof", "/export", "", "/events"])
def test_an_unknown_game_is_not_found(ann: httpx.Client, path: str) -> None:
    problem(ann.get(UNKNOWN_GAME + path), "not_found")


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
def test_an_unreadable_body_is_malformed(http: httpx.Client, body: bytes) -> None:
    document = problem(http.post(GUESTS, content=body, headers=JSON), "malformed")
    assert set(document["errors"][0]) == {"pointer", "code", "detail"}


def test_a_malformed_body_is_reported_with_a_pointer(http: httpx.Client) -> None:
    document = problem(http.post(GUESTS, json={"name": "Ann", "device": "\0"}), "malformed")
    assert document["errors"][0]["pointer"] == "/device"


def test_a_charset_other_than_utf_8_is_malformed(http: httpx.Client) -> None:
    headers = {"Content-Type": "application/json; charset=latin-1"}
    problem(http.post(GUESTS, content=b"{}", headers=headers), "malformed")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "*/*", "x"])
def test_a_body_of_another_media_type_is_unsupported(http: httpx.Client, kind: str) -> None:
    problem(http.post(GUESTS, content=b"{}", headers={"Content-Type": kind}), "unsupported_media_type")


def test_json_needs_no_content_type_and_no_body_where_no_member_is_required(http: httpx.Client) -> None:
    assert http.post(GUESTS).status_code == 201
    assert http.post(GUESTS, content=b'{"name": "Ann"}').json()["player"]["name"] == "Ann"
    assert http.post(GUESTS, content=iter([b'{"name":', b' "Bob"}']), headers=JSON).json()["player"]["name"] == "Bob"


@pytest.mark.parametrize("is_declared", [True, False])
@pytest.mark.parametrize("path", [GUESTS, "/api/v1/games"])
def test_a_body_over_the_limit_is_too_large(ann: httpx.Client, path: str, is_declared: bool) -> None:
    body = json.dumps({"name": "x" * 70_000}).encode()
    content = body if is_declared else iter([body[:40_000], body[40_000:]])
    problem(ann.post(path, content=content, headers=JSON), "too_large")
    assert ann.get("/api/v1/version").status_code == 200


def test_an_unknown_game_is_reported_before_the_size_of_the_body(ann: httpx.Client) -> None:
    problem(ann.post(f"{UNKNOWN_GAME}/actions", content=b"x" * 70_000), "not_found")


def test_the_body_of_a_get_request_has_a_limit_too(http: httpx.Client) -> None:
    problem(http.request("GET", "/api/v1/version", content=b"x" * 70_000), "too_large")


@pytest.mark.parametrize(
    ("content", "kind", "code"),
    [
        (b" " * 70_000, "text/plain", "too_large"),
        (b" " * 70_000, "application/json", "too_large"),
        (b"x", "text/plain", "unsupported_media_type"),
        (b"{bad", "application/json", "malformed"),
    ],
)
def test_a_body_is_checked_where_no_member_is_required(ann: httpx.Client, content: bytes, kind: str, code: str) -> None:
    problem(ann.post("/api/v1/stream-tickets", content=content, headers={"Content-Type": kind}), code)
    assert ann.post("/api/v1/stream-tickets").status_code == 201


def test_a_missing_token_is_reported_before_the_size_of_the_body(http: httpx.Client) -> None:
    problem(http.post("/api/v1/games", content=b"x" * 70_000), "not_authenticated")
    problem(http.post(f"{UNKNOWN_GAME}/actions", content=b"x" * 70_000), "not_authenticated")


@pytest.mark.parametrize("cursor", ["p=garbage", "p=%00", "r=1&p=1", "o=x", "r=x", "\xff"])
def test_an_invented_cursor_is_malformed(ann: httpx.Client, cursor: str) -> None:
    made_up = b64encode(cursor.encode()).decode()
    document = problem(ann.get("/api/v1/games", params={"cursor": made_up}), "malformed")
    assert document["errors"][0]["pointer"] == "?cursor"


def test_an_unknown_host_is_malformed(http: httpx.Client) -> None:
    problem(http.get("/api/v1/version", headers={"Host": "elsewhere.example"}), "malformed")


@pytest.mark.parametrize("path", ["/api/v1/fails", "/fails"])
def test_an_unexpected_exception_is_logged_and_not_shown(http: httpx.Client, service: WebServer, path: str) -> None:
    response = http.get(path, headers={"X-Request-ID": f"seen{path}"})
    problem(response, "internal")
    assert SECRET not in response.text
    line = service.line(lambda line: line.get("request") == f"seen{path}" and line["level"] == "error")
    assert line["exception"].splitlines()[-1] == "RuntimeError: [hidden]"  # it quotes a token
    assert SECRET not in service.log.read_text()


def test_a_streamed_response_that_fails_is_cut_off(http: httpx.Client) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        http.get("/api/v1/breaks-off")
    assert http.get("/healthz").status_code == 200


def test_a_form_without_its_csrf_token_is_refused(http: httpx.Client) -> None:
    problem(http.post("/admin/login/", data={"username": "a"}), "not_allowed")
    page = http.post("/admin/login/", data={"username": "a"}, headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (403, "text/html; charset=utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_hot_routes_and_django_translate_problems_alike(http: httpx.Client, language: str) -> None:
    document = [
        problem(http.get(path, headers={"Accept-Language": f"{language}-XX, fr;q=0.9"}), "not_authenticated")
        for path in (UNKNOWN_GAME, "/api/v1/games")
    ]
    assert document[0]["title"] == document[1]["title"]
    assert (document[0]["title"] == "Not authenticated") == (language == "en")


def test_a_page_of_an_allowed_origin_can_use_hot_routes_and_django(http: httpx.Client) -> None:
    for path in (UNKNOWN_GAME, "/api/v1/games"):
        asked = http.options(path, headers={"Origin": ORIGIN, "Access-Control-Request-Method": "GET"})
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, ORIGIN)
        assert http.get(path, headers={"Origin": ORIGIN}).headers["access-control-allow-origin"] == ORIGIN


def test_a_read_only_page_names_its_methods(http: httpx.Client) -> None:
    response = http.options("/api/docs/")
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", ["/", "/lobby", "/manifest.webmanifest"])
def test_a_page_returns_problems_to_a_client_that_does_not_accept_html(http: httpx.Client, path: str) -> None:
    response = http.options(path)
    problem(response, "method_not_allowed")
    assert response.headers["allow"] == "GET, HEAD"
    assert http.options(path, headers={"Accept": "text/html"}).status_code == 405


@pytest.mark.parametrize(
    "request_", [b"rubbish\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00"]
)
def test_what_is_not_http_is_refused_by_the_server_itself(service: WebServer, request_: bytes) -> None:
    address = httpx.URL(service.address)
    with socket.create_connection((address.host, address.port or 80), timeout=30) as connection:
        connection.sendall(request_)
        response = HTTPResponse(connection)
        response.begin()
        assert (response.status, response.getheader("Connection")) == (400, "close")
        response.read()
        assert connection.recv(1) == b""
