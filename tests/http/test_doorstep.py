"""What the doorstep does for any application behind it, seen through an ASGI client in the same process."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest
import redis
from django.db import OperationalError

from games.rules.refused import Refused
from qwixx_service.http.asgi_types import Application, Message, Receive, Scope, Send
from qwixx_service.http.middleware import BODY_LIMIT, Doorstep

ORIGIN = "https://play.example.org"
PREFLIGHT = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}


async def echo(_scope: Scope, receive: Receive, send: Send) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"etag", b'"1"')]})
    await send({"type": "http.response.body", "body": body})


def raising(error: Exception) -> Application:
    async def application(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise error

    return application


def client(application: Application, origins: tuple[str, ...] = ()) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(Doorstep(application, origins), raise_app_exceptions=False)  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def test_every_answer_carries_an_id_of_its_own() -> None:
    async with client(echo) as http:
        ids = {(await http.get("/")).headers["x-request-id"] for _ in range(3)}
    assert len(ids) == 3


@pytest.mark.parametrize("wanted", ["a", "0192f0c0-0000-7000-8000-000000000000", "x" * 64])
async def test_an_id_that_the_client_brings_is_kept(wanted: str) -> None:
    async with client(echo) as http:
        assert (await http.get("/", headers={"X-Request-ID": wanted})).headers["x-request-id"] == wanted


@pytest.mark.parametrize("wanted", ["", "x" * 65, "two words", "<script>", "a\tb", "ä"])
async def test_an_id_that_could_do_harm_in_a_log_is_replaced(wanted: str) -> None:
    async with client(echo) as http:
        answer = await http.get("/", headers={b"X-Request-ID": wanted.encode()})
    assert answer.headers["x-request-id"] not in ("", wanted)


async def test_a_refusal_becomes_a_problem_with_the_same_id() -> None:
    error = Refused("malformed", errors=[("/type", "a text")])
    async with client(raising(error)) as http:
        answer = await http.get("/", headers={"Accept-Language": "de"})
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    said = answer.json()
    assert said["request_id"] == answer.headers["x-request-id"]
    assert said["title"] == "Fehlerhafte Anfrage"
    assert said["errors"] == [{"pointer": "/type", "code": "invalid", "detail": "Erwartet: ein Text."}]
    assert (answer.headers["content-language"], answer.headers["vary"]) == ("de", "Accept-Language")


async def test_who_is_too_fast_is_told_when_to_come_back() -> None:
    async with client(raising(Refused("too_many_requests", retry_after=1.2))) as http:
        answer = await http.get("/")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")


async def test_what_nobody_expected_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    async with client(raising(RuntimeError("qx_secret"))) as http:
        answer = await http.get("/")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "qx_secret" not in answer.text
    assert answer.headers["x-request-id"] in caplog.text
    assert "RuntimeError: qx_secret" in caplog.text


@pytest.mark.parametrize("error", [psycopg.OperationalError(), OperationalError(), redis.ConnectionError()])
async def test_a_database_that_is_away_is_no_failure_of_ours(error: Exception) -> None:
    async with client(raising(error)) as http:
        answer = await http.get("/")
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "unavailable", "1")


async def test_an_unknown_code_is_an_error_of_ours() -> None:
    async with client(raising(Refused("no_such_code"))) as http:
        assert (await http.get("/")).json()["code"] == "internal"


async def test_what_fails_after_its_start_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def application(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("halfway")

    sent = await messages(application)
    assert [message["type"] for message in sent] == ["http.response.start"]
    assert "broke off" in caplog.text


async def messages(application: Application) -> list[Message]:
    """What an application sends through the doorstep, one by one."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    await Doorstep(application)(scope, receive, send)
    return sent


async def test_the_news_that_a_client_has_gone_gets_through() -> None:
    async def application(_scope: Scope, receive: Receive, _send: Send) -> None:
        assert (await receive())["type"] == "http.disconnect"

    assert await messages(application) == []


async def test_a_message_that_an_application_sends_again_and_again_stays_as_it_is() -> None:
    start: Message = {"type": "http.response.start", "status": 204, "headers": []}

    async def application(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send(start)
        await send({"type": "http.response.body", "body": b""})

    first, second = [(await messages(application))[0] for _ in range(2)]
    assert start["headers"] == []
    assert len(first["headers"]) == len(second["headers"])


@pytest.mark.parametrize("size", [0, 1, BODY_LIMIT])
async def test_a_body_within_the_limit_is_handed_on(size: int) -> None:
    async with client(echo) as http:
        assert len((await http.post("/", content=b"x" * size)).content) == size
        assert len((await http.post("/", content=chunks(size))).content) == size


async def test_a_body_beyond_the_limit_is_refused_declared_or_not() -> None:
    async with client(echo) as http:
        for content in (b"x" * (BODY_LIMIT + 1), chunks(BODY_LIMIT + 1), chunks(10 * BODY_LIMIT)):
            answer = await http.post("/", content=content)
            assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def chunks(size: int) -> AsyncIterator[bytes]:
    for start in range(0, size, 1000):
        yield b"x" * min(1000, size - start)


async def test_who_may_not_ask_is_told_so_before_the_size_of_the_body() -> None:
    async with client(raising(Refused("not_authenticated"))) as http:
        answer = await http.post("/", content=b"x" * (BODY_LIMIT + 1))
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="qwixx"')


async def test_a_named_origin_may_ask_beforehand_and_read_what_it_needs() -> None:
    async with client(raising(AssertionError()), (ORIGIN,)) as http:
        answer = await http.options("/api/v1/games", headers=PREFLIGHT)
    allowed = words(answer, "access-control-allow-headers")
    wanted = "authorization content-type idempotency-key if-match if-none-match last-event-id accept-language"
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert set(wanted.split()) <= allowed
    assert {"get", "post", "patch", "delete"} <= words(answer, "access-control-allow-methods")
    assert "access-control-allow-credentials" not in answer.headers


async def test_a_named_origin_may_read_answers_and_problems_alike() -> None:
    for application, status in ((echo, 200), (raising(Refused("not_found")), 404)):
        async with client(application, (ORIGIN,)) as http:
            answer = await http.get("/", headers={"Origin": ORIGIN})
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (status, ORIGIN)
        exposed = words(answer, "access-control-expose-headers")
        assert exposed == {"etag", "retry-after", "x-request-id", "idempotent-replayed", "location"}
        assert "origin" in words(answer, "vary")


@pytest.mark.parametrize("origins", [(), (ORIGIN,)])
async def test_any_other_origin_is_told_nothing(origins: tuple[str, ...]) -> None:
    headers = {**PREFLIGHT, "Origin": "https://elsewhere.example"}
    async with client(echo, origins) as http:
        answers = [await http.options("/", headers=headers), await http.get("/", headers=headers)]
    assert [name for answer in answers for name in answer.headers if name.startswith("access-control")] == []


def words(answer: httpx.Response, name: str) -> set[str]:
    return {word.strip().lower() for word in answer.headers[name].split(",")}


@pytest.fixture(autouse=True)
def _own_records(caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.WARNING, logger="qwixx_service")
