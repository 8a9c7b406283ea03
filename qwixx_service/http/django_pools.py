"""Django behind WSGI in pools of threads, so that no part of the service can use up the threads of another."""

import asyncio
import re
import time
from collections.abc import Mapping
from concurrent.futures import Executor
from functools import partial
from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from games.rules.refused import Refused
from players.api.arrival import ARRIVED
from players.limits import budgets
from players.limits.addresses import client_address
from players.limits.fair_queue import Client, FairQueue
from players.sessions.authentication import known_session
from qwixx_service.http.middleware.body_limit import BODY_LIMIT, read_up_to, refuse, repeat
from qwixx_service.http.middleware.response_timeout import ResponseTimeout

THREADS: Mapping[str, int] = settings.CONNECTIONS.threads
# POST requests that hash a password, which takes a processor for a tenth of a second.
HASHING = re.compile(r"/api/v1/(sessions|players|players/me/password|players/passwords/reset)|/account/reset/.*")


def pool_of(method: str, path: str) -> str:
    """The name of the pool that serves a request.

    >>> pool_of("POST", "/api/v1/sessions"), pool_of("GET", "/api/v1/sessions"), pool_of("GET", "/admin/")
    ('passwords', 'rest', 'admin')
    >>> pool_of("GET", "/lobby")
    'pages'
    """
    if method == "POST" and HASHING.fullmatch(path):
        return "passwords"
    if path.startswith("/admin/"):
        return "admin"
    return "rest" if path.startswith("/api/v1/") else "pages"


class DjangoPools:
    """An ASGI application. A thread is used only while Django computes a response.

    The body is read before, and the response is queued without a limit: neither a client that sends slowly nor one
    that reads slowly holds a thread. Clients take turns, and none holds all threads of a pool.
    """

    def __init__(self, wsgi_application: Any, threads: Mapping[str, int] = THREADS) -> None:
        self._pools = {
            name: WSGIMiddleware(wsgi_application, workers=count, send_queue_size=0) for name, count in threads.items()
        }
        self._queues = {name: FairQueue(name, count) for name, count in threads.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[ARRIVED] = time.monotonic()
        body = await received(receive)  # the client has BODY_S for it, whatever time Django has
        in_turn = partial(self._in_turn, Request(scope, receive))
        await ResponseTimeout(in_turn, budgets.DJANGO_S)(scope, body, send)

    async def _in_turn(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        name = pool_of(scope["method"], scope["path"])
        pool: ASGIApp = self._pools[name]  # type: ignore[assignment]
        async with self._queues[name].turn(client_of(request)) as has_waited:
            if has_waited and await request.is_disconnected():
                raise ClientDisconnect
            await pool(scope, receive, send)

    async def is_free(self, name: str = "rest") -> bool:
        """Whether a thread of the pool is free within the time that a readiness check has."""
        executor: Executor = self._pools[name].executor
        try:
            async with asyncio.timeout(budgets.READINESS_TIMEOUT_S):
                await asyncio.get_running_loop().run_in_executor(executor, int)
        except TimeoutError:
            return False
        return True


def client_of(request: Request) -> Client:
    return Client(client_address(request.scope), known_session(request.headers.get("authorization")))


async def received(receive: Receive) -> Receive:
    """The whole body, to be handed out again. That it is too large is told to the view that reads it."""
    try:
        return repeat(await read_up_to(BODY_LIMIT, receive), receive)
    except Refused:
        return refuse
