"""Handshakes are counted per address, with and without a token; here by the ASGI application without a server."""

import asyncio
from itertools import count
from typing import Any

from games.streams import routing
from players.limits.rate_limits import LIMITS
from qwixx_service.http.errors import explained

APPLICATION = routing.application(explained)


async def close_code(address: str) -> int:
    """The code with which a socket without a token is closed."""
    sent: list[dict[str, Any]] = []
    connect = asyncio.Queue[dict[str, Any]]()
    connect.put_nowait({"type": "websocket.connect"})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": "/ws/v1/me", "query_string": b"", "headers": [], "subprotocols": []}
    await APPLICATION({**scope, "client": (address, 1)}, connect.get, send)
    assert [message["type"] for message in sent] == ["websocket.accept", "websocket.close"]
    code: int = sent[-1]["code"]
    return code


async def test_an_address_that_opens_sockets_too_fast_is_closed_with_4429_and_another_address_is_not() -> None:
    attempts = count(1)
    async with asyncio.timeout(60):
        while await close_code(f"2001:db8:5:5::{next(attempts):x}") == 4401:
            pass
        assert await close_code("2001:db8:5:6::1") == 4401
    assert next(attempts) > LIMITS["handshakes"].burst
