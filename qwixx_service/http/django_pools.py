"""Django behind WSGI in pools of threads, so that no part of the service can use up the threads of another."""

import asyncio
import re
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any

from a2wsgi import WSGIMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from games.rules.refused import Refused
from players.limits import budgets
from qwixx_service.http.body_limit import BODY_LIMIT, read_up_to, refuse, repeat

THREADS = {
    "rest": budgets.REST_THREADS,
    "passwords": budgets.PASSWORD_THREADS,
    "admin": budgets.ADMIN_THREADS,
    "pages": budgets.PAGE_THREADS,
}
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
    that reads slowly holds a thread.
    """

    def __init__(self, wsgi_application: Any, threads: Mapping[str, int] = THREADS) -> None:
        self._pools = {
            name: WSGIMiddleware(wsgi_application, workers=count, send_queue_size=0) for name, count in threads.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        pool: ASGIApp = self._pools[pool_of(scope["method"], scope["path"])]  # type: ignore[assignment]
        await pool(scope, await received(receive), send)

    async def is_free(self, name: str = "rest") -> bool:
        """Whether a thread of the pool is free within the time that a readiness check has."""
        executor: Executor = self._pools[name].executor
        try:
            async with asyncio.timeout(budgets.READINESS_TIMEOUT_S):
                await asyncio.get_running_loop().run_in_executor(executor, int)
        except TimeoutError:
            return False
        return True


async def received(receive: Receive) -> Receive:
    """The whole body, to be handed out again. That it is too large is told to the view that reads it."""
    try:
        return repeat(await read_up_to(BODY_LIMIT, receive), receive)
    except Refused:
        return refuse
