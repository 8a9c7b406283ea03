"""Turns at work that only a few requests may do at once: clients that wait take turns, and none holds all places.

Without it one client with hundreds of connections makes all others wait behind its requests. It lives on one event
loop and counts for one process.
"""

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from typing import NamedTuple

from prometheus_client import Gauge

from players.database.refusal import RequestRefused
from players.limits.budgets import WAITING_PER_ADDRESS

RETRY_AFTER_S = 1
WAITING = Gauge(
    "qwixx_waiting_requests",
    "Requests that wait for their turn, by what they wait for.",
    ["queue"],
    multiprocess_mode="livesum",
)

Turn = asyncio.Future[None]


class Client(NamedTuple):
    """Who waits. Addresses take turns, and at each its sessions; the empty session is that of all without a token."""

    address: str
    session: str = ""


class FairQueue:
    """`places` turns at once: of one session at most half of them, of one address at most three quarters.

    >>> async def run():
    ...     queue = FairQueue("example", 2)
    ...     async with queue.turn(Client("192.0.2.7")):
    ...         return len(queue)
    >>> asyncio.run(run())
    0
    """

    def __init__(self, name: str, places: int, waiting_per_address: int = WAITING_PER_ADDRESS) -> None:
        self._free = places
        self._of_session, self._of_address = max(1, places // 2), max(1, places * 3 // 4)
        self._most_waiting = waiting_per_address
        self._taken: Counter[Client | str] = Counter()  # by client and by address
        self._waiting: OrderedDict[str, OrderedDict[Client, deque[Turn]]] = OrderedDict()
        self._count: Counter[str] = Counter()  # of those that wait, by address
        self._metric = WAITING.labels(name)

    def __len__(self) -> int:
        """How many wait."""
        return self._count.total()

    @contextlib.asynccontextmanager
    async def turn(self, client: Client) -> AsyncIterator[bool]:
        """Within the block the client has a place; tells whether it had to wait for it."""
        waits = not self._has_place(client)
        if waits:
            await self._wait(client)
        else:
            self._take(client)
        try:
            yield waits
        finally:
            self._release(client)

    def _has_place(self, client: Client) -> bool:
        return (
            self._free > 0 and self._taken[client] < self._of_session and self._taken[client.address] < self._of_address
        )

    def _take(self, client: Client) -> None:
        self._free -= 1
        self._taken.update((client, client.address))

    def _release(self, client: Client) -> None:
        self._free += 1
        for key in (client, client.address):
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]
        self._give_turns()

    async def _wait(self, client: Client) -> None:
        if self._count[client.address] >= self._most_waiting:
            raise RequestRefused("too_many_requests", retry_after=RETRY_AFTER_S)
        turn: Turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client.address, OrderedDict()).setdefault(client, deque()).append(turn)
        self._count[client.address] += 1
        self._metric.inc()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was given its turn in the same moment
                self._release(client)
            elif self._is_waiting(client, turn):
                self._remove(client, turn)
            raise

    def _is_waiting(self, client: Client, turn: Turn) -> bool:
        clients = self._waiting.get(client.address)
        return clients is not None and turn in clients.get(client, ())

    def _give_turns(self) -> None:
        while self._free and (client := self._next()) is not None:
            turn = self._waiting[client.address][client][0]
            self._remove(client, turn)
            if not turn.cancelled():  # else its request has ended, and will be told so after this one
                self._take(client)
                turn.set_result(None)

    def _next(self) -> Client | None:
        """The first that may have a turn. Few are passed over: only those that hold as many places as they may."""
        for clients in self._waiting.values():
            for client in clients:
                if self._has_place(client):
                    return client
                if self._taken[client.address] >= self._of_address:
                    break
        return None

    def _remove(self, client: Client, turn: Turn) -> None:
        """The address and the client go to the end of their lines, or out of them with their last request."""
        clients = self._waiting.pop(client.address)
        turns = clients.pop(client)
        turns.remove(turn)
        if turns:
            clients[client] = turns
        if clients:
            self._waiting[client.address] = clients
        self._count[client.address] -= 1
        if not self._count[client.address]:
            del self._count[client.address]
        self._metric.dec()
