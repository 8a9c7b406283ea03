"""Requests of one address begin a few in each turn of the event loop; those of others do not wait for them."""

import asyncio

import pytest
from starlette.types import Receive, Scope, Send

from qwixx_service.http.middleware.address_pacing import AddressPacing

MANY, ANOTHER = "192.0.2.7", "192.0.2.8"


def scope_of(address: str, kind: str = "http") -> Scope:
    return {"type": kind, "client": (address, 1), "headers": []}


async def unused(*_: object) -> None:
    raise AssertionError


@pytest.mark.parametrize(("kind", "at_once"), [("http", 8), ("websocket", 2)])
async def test_a_request_of_another_address_passes_those_that_wait(kind: str, at_once: int) -> None:
    begun: list[str] = []

    async def application(scope: Scope, _receive: Receive, _send: Send) -> None:
        begun.append(scope["client"][0])

    pacing = AddressPacing(application, at_once=8)
    crowd = [pacing(scope_of(MANY, kind), unused, unused) for _ in range(100)]  # type: ignore[arg-type]
    await asyncio.gather(*crowd, pacing(scope_of(ANOTHER), unused, unused))  # type: ignore[arg-type]
    assert begun.index(ANOTHER) == at_once
    assert len(begun) == 101


async def test_a_cancelled_request_leaves_its_turn_to_the_next() -> None:
    begun: list[int] = []

    async def application(scope: Scope, _receive: Receive, _send: Send) -> None:
        begun.append(scope["client"][1])

    pacing = AddressPacing(application, at_once=1)
    requests = [
        asyncio.create_task(pacing({**scope_of(MANY), "client": (MANY, number)}, unused, unused))  # type: ignore[arg-type]
        for number in range(4)
    ]
    await asyncio.sleep(0)
    requests[1].cancel()
    await asyncio.wait(requests)
    assert begun == [0, 2, 3]
