"""The pools of threads in which Django runs: none waits for a client, and no part of the service delays another."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from players.limits import budgets
from qwixx_service.http.body_limit import BODY_LIMIT, BodyLimit
from qwixx_service.http.django_pools import DjangoPools
from qwixx_service.http.problem_documents import ProblemDocuments
from qwixx_service.http.request_ids import RequestIds

Start = Callable[[str, list[tuple[str, str]]], object]


class WaitingApplication:
    """A WSGI application: REST waits until it is released, everything else answers with its body at once."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Start) -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith("/api/v1/games"):
            self.released.wait(10)
        body = environ["wsgi.input"].read()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


def client(application: ASGIApp) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(RequestIds(ProblemDocuments(BodyLimit(application))))
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def test_a_part_whose_threads_are_all_busy_delays_no_other_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "READINESS_TIMEOUT_S", 0.05)
    waiting = WaitingApplication()
    pools = DjangoPools(waiting)
    async with client(pools) as http:
        requests = [asyncio.create_task(http.get("/api/v1/games")) for _ in range(budgets.REST_THREADS)]
        while await pools.is_free():
            pass
        for path in ("/admin/", "/lobby", "/api/docs/", "/account/confirm/x"):
            assert (await http.get(path)).status_code == 200
        assert (await http.post("/api/v1/sessions")).status_code == 200
        waiting.released.set()
        assert {response.status_code for response in await asyncio.gather(*requests)} == {200}
        assert await pools.is_free()


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
