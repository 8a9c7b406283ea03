"""Each ASGI middleware around a small application, through an ASGI client in the same process."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest
import redis
from django.db import OperationalError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from games.rules.refused import Refused
from qwixx_service.http.cors import CORS
from qwixx_service.http.middleware.body_limit import BODY_LIMIT, BodyLimit
from qwixx_service.http.middleware.problem_documents import ProblemDocuments
from qwixx_service.http.middleware.request_ids import RequestIds
from qwixx_service.http.middleware.response_timeout import ResponseTimeout

ORIGIN = "https://play.example.org"
PREFLIGHT = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}


async def echo(_scope: Scope, receive: Receive, send: Send) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"etag", b'"1"')]})
    await send({"type": "http.response.body", "body": body})


def raising(error: Exception) -> ASGIApp:
    async def application(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise error

    return application


def client(application: ASGIApp, origins: tuple[str, ...] = ()) -> httpx.AsyncClient:
    """As `qwixx_service.asgi` puts them together, but for the metrics."""
    middleware = [
        Middleware(RequestIds),
        Middleware(CORSMiddleware, allow_origins=origins, **CORS),
        Middleware(ProblemDocuments),
        Middleware(BodyLimit),
    ]
    transport = httpx.ASGITransport(Starlette(routes=[Mount("/", application)], middleware=middleware))
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def test_every_response_carries_a_request_id_of_its_own() -> None:
    async with client(echo) as http:
        ids = {(await http.get("/")).headers["x-request-id"] for _ in range(3)}
    assert len(ids) == 3


@pytest.mark.parametrize("wanted", ["a", "0192f0c0-0000-7000-8000-000000000000", "x" * 64])
async def test_a_request_id_of_the_client_is_kept(wanted: str) -> None:
    async with client(echo) as http:
        assert (await http.get("/", headers={"X-Request-ID": wanted})).headers["x-request-id"] == wanted


@pytest.mark.parametrize("wanted", ["", "x" * 65, "two words", "<script>", "a\tb", "ä"])
async def test_a_request_id_that_is_not_safe_in_a_log_is_replaced(wanted: str) -> None:
    async with client(echo) as http:
        response = await http.get("/", headers={b"X-Request-ID": wanted.encode()})
    assert response.headers["x-request-id"] not in ("", wanted)


async def test_a_refusal_becomes_a_problem_document_with_the_same_request_id() -> None:
    error = Refused("malformed", errors=[("/type", "wrong_type", "a text")])
    async with client(raising(error)) as http:
        response = await http.get("/", headers={"Accept-Language": "de"})
    assert (response.status_code, response.headers["content-type"]) == (400, "application/problem+json")
    document = response.json()
    assert document["request_id"] == response.headers["x-request-id"]
    assert document["title"] == "Fehlerhafte Anfrage"
    assert document["errors"] == [{"pointer": "/type", "code": "wrong_type", "detail": "Erwartet: ein Text."}]
    assert (response.headers["content-language"], words(response, "vary")) == ("de", {"accept-language", "origin"})


async def test_a_rate_limited_client_learns_when_to_retry() -> None:
    async with client(raising(Refused("too_many_requests", retry_after=1.2))) as http:
        response = await http.get("/")
    assert (response.status_code, response.headers["retry-after"]) == (429, "2")


async def test_an_unexpected_exception_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    async with client(raising(RuntimeError("qx_secret"))) as http:
        response = await http.get("/")
    assert (response.status_code, response.json()["code"]) == (500, "internal")
    assert "qx_secret" not in response.text
    assert response.headers["x-request-id"] in caplog.text
    assert "RuntimeError: qx_secret" in caplog.text


@pytest.mark.parametrize("error", [psycopg.OperationalError(), OperationalError(), redis.ConnectionError()])
async def test_a_database_that_is_down_is_unavailable_and_not_internal(error: Exception) -> None:
    async with client(raising(error)) as http:
        response = await http.get("/")
    assert (response.status_code, response.json()["code"], response.headers["retry-after"]) == (503, "unavailable", "1")


async def test_a_refusal_with_an_unknown_code_is_internal() -> None:
    async with client(raising(Refused("no_such_code"))) as http:
        assert (await http.get("/")).json()["code"] == "internal"


async def test_an_exception_after_the_start_of_the_response_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def application(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("halfway")

    sent = await messages(application)
    assert [message["type"] for message in sent] == ["http.response.start"]
    assert "after its response had started" in caplog.text


async def messages(application: ASGIApp, *headers: tuple[bytes, bytes]) -> list[Message]:
    """What an application sends through the middlewares, to a client that has gone."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "GET", "path": "/", "headers": [*headers]}
    await RequestIds(ProblemDocuments(BodyLimit(application)))(scope, receive, send)
    return sent


async def test_an_application_receives_the_disconnect_of_its_client() -> None:
    async def application(_scope: Scope, receive: Receive, _send: Send) -> None:
        assert (await receive())["type"] == "http.disconnect"

    assert await messages(application) == []


async def test_a_body_that_breaks_off_is_not_taken_for_a_whole_one() -> None:
    assert await messages(echo, (b"transfer-encoding", b"chunked")) == []


@pytest.mark.parametrize("size", [0, 1, BODY_LIMIT])
async def test_a_body_within_the_limit_is_passed_on(size: int) -> None:
    async with client(echo) as http:
        assert len((await http.post("/api/", content=b"x" * size)).content) == size
        assert len((await http.post("/api/", content=chunks(size))).content) == size


@pytest.mark.parametrize(("method", "path"), [("POST", "/api/"), ("GET", "/api/"), ("POST", "/")])
async def test_a_body_beyond_the_limit_is_refused_whether_its_length_is_declared_or_not(method: str, path: str) -> None:
    async with client(echo) as http:
        for content in (b"x" * (BODY_LIMIT + 1), chunks(BODY_LIMIT + 1), chunks(10 * BODY_LIMIT)):
            response = await http.request(method, path, content=content)
            assert (response.status_code, response.json()["code"]) == (413, "too_large")


async def chunks(size: int) -> AsyncIterator[bytes]:
    for start in range(0, size, 1000):
        yield b"x" * min(1000, size - start)


async def test_not_authenticated_comes_before_the_size_of_the_body() -> None:
    async with client(raising(Refused("not_authenticated"))) as http:
        response = await http.post("/api/", content=b"x" * (BODY_LIMIT + 1))
    assert (response.status_code, response.headers["www-authenticate"]) == (401, 'Bearer realm="qwixx"')


async def test_a_response_that_does_not_start_in_time_is_unavailable() -> None:
    async def hanging(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await asyncio.Event().wait()

    async with client(ResponseTimeout(hanging, 0.01)) as http:
        response = await http.get("/")
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")


async def test_a_response_that_has_started_in_time_may_take_longer() -> None:
    async def slow(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.2)
        await send({"type": "http.response.body", "body": b"done"})

    async with client(ResponseTimeout(slow, 0.1)) as http:
        assert (await http.get("/")).text == "done"


async def test_a_page_of_an_allowed_origin_may_send_and_read_the_headers_that_it_needs() -> None:
    async with client(raising(AssertionError()), (ORIGIN,)) as http:
        response = await http.options("/api/v1/games", headers=PREFLIGHT)
    wanted = "authorization content-type idempotency-key if-match if-none-match last-event-id accept-language"
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == ORIGIN
    assert set(wanted.split()) <= words(response, "access-control-allow-headers")
    assert {"get", "post", "patch", "delete"} <= words(response, "access-control-allow-methods")
    assert "access-control-allow-credentials" not in response.headers


async def test_a_page_of_an_allowed_origin_may_read_successes_and_problems_alike() -> None:
    for application, status in ((echo, 200), (raising(Refused("not_found")), 404)):
        async with client(application, (ORIGIN,)) as http:
            response = await http.get("/", headers={"Origin": ORIGIN})
        assert (response.status_code, response.headers["access-control-allow-origin"]) == (status, ORIGIN)
        exposed = words(response, "access-control-expose-headers")
        named = {"etag", "retry-after", "x-request-id", "idempotent-replayed", "location"}
        assert exposed == {*named, "ratelimit", "ratelimit-policy"}
        assert "origin" in words(response, "vary")


@pytest.mark.parametrize("origins", [(), (ORIGIN,)])
async def test_no_other_origin_is_allowed(origins: tuple[str, ...]) -> None:
    headers = {**PREFLIGHT, "Origin": "https://elsewhere.example"}
    async with client(echo, origins) as http:
        preflight, response = await http.options("/", headers=headers), await http.get("/", headers=headers)
    assert preflight.status_code == 400
    for each in (preflight, response):
        assert "access-control-allow-origin" not in each.headers
        assert "origin" in words(each, "vary")


def words(response: httpx.Response, name: str) -> set[str]:
    return {word.strip().lower() for word in response.headers[name].split(",")}


@pytest.fixture(autouse=True)
def _own_records(caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.WARNING, logger="qwixx_service")
