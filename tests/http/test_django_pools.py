"""The pools of threads in which Django runs: none waits for a client, and no part of the service delays another."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import httpx
import pytest
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message

from players.limits import budgets
from qwixx_service.http.django_pools import DjangoPools
from qwixx_service.http.middleware.body_limit import BODY_LIMIT, BodyLimit
from qwixx_service.http.middleware.problem_documents import ProblemDocuments
from qwixx_service.http.middleware.request_ids import RequestIds

Start = Callable[[str, list[tuple[str, str]]], object]


class WaitingApplication:
    """A WSGI application: REST waits until it is released, everything else answers with its body at once."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.began, self.calls = threading.Event(), 0

    def __call__(self, environ: dict[str, Any], start_response: Start) -> Iterable[bytes]:
        self.calls += 1
        self.began.set()
        if environ["PATH_INFO"].startswith("/api/v1/games"):
            self.released.wait(10)
        body = environ["wsgi.input"].read()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


def client(application: ASGIApp, address: str = "192.0.2.1") -> httpx.AsyncClient:
    transport = httpx.ASGITransport(RequestIds(ProblemDocuments(BodyLimit(application))), client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def test_a_part_whose_threads_are_all_busy_delays_no_other_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "READINESS_TIMEOUT_S", 0.5)
    waiting = WaitingApplication()
    pools = DjangoPools(waiting)
    async with client(pools) as http, client(pools, "192.0.2.2") as other:
        clients = [http, other] * budgets.REST_THREADS
        requests = [asyncio.create_task(each.get("/api/v1/games")) for each in clients]
        while await pools.is_free():
            pass
        assert waiting.calls == budgets.REST_THREADS
        for path in ("/admin/", "/lobby", "/api/docs/", "/account/confirm/x"):
            assert (await http.get(path)).status_code == 200
        assert (await http.post("/api/v1/sessions")).status_code == 200
        waiting.released.set()
        assert {response.status_code for response in await asyncio.gather(*requests)} == {200}
        assert await pools.is_free()


async def test_one_client_does_not_hold_all_threads_of_a_pool() -> None:
    waiting = WaitingApplication()
    pools = DjangoPools(waiting)
    async with client(pools) as http, client(pools, "192.0.2.2") as other:
        requests = [asyncio.create_task(http.get("/api/v1/games")) for _ in range(50)]
        async with asyncio.timeout(5):
            assert (await other.get("/api/v1/version")).status_code == 200
        assert await pools.is_free()
        waiting.released.set()
        assert {response.status_code for response in await asyncio.gather(*requests)} == {200}


async def test_a_request_whose_client_has_gone_while_it_waited_reaches_no_thread() -> None:
    waiting, has_waited = WaitingApplication(), asyncio.Event()
    pools = DjangoPools(waiting, {"rest": 1, "passwords": 1, "admin": 1, "pages": 1})
    gone: list[Message] = [{"type": "http.request", "body": b""}, {"type": "http.disconnect"}]

    async def receive() -> Message:
        has_waited.set()
        return gone.pop(0)

    async with client(pools) as http:
        first = asyncio.create_task(http.get("/api/v1/games"))
        await asyncio.to_thread(waiting.began.wait)
        scope = {"type": "http", "method": "GET", "path": "/api/v1/games", "headers": [], "client": ("192.0.2.1", 1)}
        second = asyncio.create_task(pools(scope, receive, no_response))
        await has_waited.wait()
        waiting.released.set()
        assert (await first).status_code == 200
        with pytest.raises(ClientDisconnect):
            await second
    assert waiting.calls == 1


async def no_response(message: Message) -> None:
    raise AssertionError(message)


async def test_a_body_is_complete_before_a_thread_is_used() -> None:
    waiting = WaitingApplication()
    rest_arrives = asyncio.Event()

    async def slow_body() -> AsyncIterator[bytes]:
        yield b"first "
        await rest_arrives.wait()
        yield b"rest"

    async with client(DjangoPools(waiting, {"rest": 1, "passwords": 1, "admin": 1, "pages": 1})) as http:
        slow = asyncio.create_task(http.post("/lobby", content=slow_body()))
        assert (await http.post("/lobby", content=b"quick")).content == b"quick"
        rest_arrives.set()
        assert (await slow).content == b"first rest"


@pytest.mark.parametrize("size", [0, 1, BODY_LIMIT])
async def test_a_body_within_the_limit_reaches_django(size: int) -> None:
    async with client(DjangoPools(WaitingApplication())) as http:
        assert len((await http.post("/api/v1/version", content=b"x" * size)).content) == size
