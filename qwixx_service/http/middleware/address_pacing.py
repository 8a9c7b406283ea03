"""ASGI middleware that begins only a few requests and sockets of one address in each turn of the event loop."""

import asyncio
from collections import defaultdict, deque
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from players.limits.addresses import client_address
from players.limits.budgets import BEGUN_AT_ONCE

WEIGHT = {"http": 1, "websocket": 4}  # a handshake takes as long as several requests


class PacedRequest(NamedTuple):
    turn: asyncio.Future[None]
    weight: int


class AddressPacing:
    """Requests that cost little are not limited, but hundreds of connections send them at once: a request of another
    client would wait for all of them in each turn of the loop that it needs.

    A turn ends when `_next_turn` runs, which is queued behind all that the loop has to do in it.
    """

    def __init__(self, app: ASGIApp, at_once: int = BEGUN_AT_ONCE) -> None:
        self.app, self._at_once = app, at_once
        self._begun: dict[str, int] = {}  # in this turn, by address
        self._waiting: dict[str, deque[PacedRequest]] = defaultdict(deque)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if weight := WEIGHT.get(scope["type"]):
            address = client_address(scope)
            if not self._begun:
                asyncio.get_running_loop().call_soon(self._next_turn)
            self._begun[address] = begun = self._begun.get(address, 0) + weight
            if begun > self._at_once:
                request = PacedRequest(asyncio.get_running_loop().create_future(), weight)
                self._waiting[address].append(request)
                await request.turn
        await self.app(scope, receive, send)

    def _next_turn(self) -> None:
        self._begun.clear()
        for address, waiting in tuple(self._waiting.items()) if self._waiting else ():
            begun = 0
            while waiting and begun < self._at_once:
                turn, weight = waiting.popleft()
                if not turn.done():  # else its task was cancelled
                    turn.set_result(None)
                    begun += weight
            if waiting:
                self._begun[address] = self._at_once  # later requests go behind those that wait
            else:
                del self._waiting[address]
        if self._begun:
            asyncio.get_running_loop().call_soon(self._next_turn)
