"""The wide lane: Django for all that is not hot, in one hop to a thread and back.

Django's own handler makes a thread for every request and goes to it several times. Here a sync view runs from its first
line to its last byte in one thread of a pool; an async one runs on the loop and needs none. Sessions, CSRF and messages
are for people with browsers: what machines call goes without any middleware.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from inspect import iscoroutinefunction
from io import BytesIO
from typing import Any

from django.core import signals
from django.core.exceptions import BadRequest
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse, HttpResponseBase
from django.urls import Resolver404, get_resolver
from django.utils import translation

from games.rules.refused import Refused
from qwixx_service.http import problems
from qwixx_service.http.asgi_types import Message, Receive, Scope, Send
from qwixx_service.http.middleware import TooLarge

PATIENCE_S = 20.0  # for a view; no call of this lane waits for anything on purpose
THREADS = 8  # as many as the pool of Django's connections gives
WITHOUT_BODY = (204, 304)
WRONG_METHOD = 405
END: Message = {"type": "http.response.body", "body": b""}


class Pages(BaseHandler):
    """Views for people: Django as it comes, in its sync form."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware()

    def resolve_request(self, request: Any) -> Any:
        return request.resolver_match or super().resolve_request(request)

    def get_response(self, request: Any) -> HttpResponseBase:
        """Django has no page for a wrong method: who wants no HTML gets a problem, as everywhere."""
        response: HttpResponseBase = super().get_response(request)
        has_words = response.status_code != WRONG_METHOD or problems.is_for_people(request)
        return response if has_words else problems.in_our_words(request, response)


class Machines(Pages):
    """Views for machines: resolved, called and rendered, with nothing before and nothing behind."""

    def load_middleware(self, **_: Any) -> None:  # type: ignore[override]
        nothing: list[Any] = []
        self._view_middleware = self._template_response_middleware = self._exception_middleware = nothing

    def get_response(self, request: Any) -> HttpResponseBase:
        try:
            if request.path_info.startswith("/api/"):
                request.get_host()  # raises for a host that is none of ours
            with translation.override(problems.language_of(request)):
                response: HttpResponseBase = self._get_response(request)  # type: ignore[attr-defined]
        except Exception as error:  # noqa: BLE001  (whatever it is, it becomes a problem document)
            response = problems.of(request, error)
        return problems.in_our_words(request, response)


class WideLane:
    """The ASGI application around both."""

    def __init__(self) -> None:
        self._pages, self._machines = Pages(), Machines()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="wide")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await read_body(scope, receive)
        if body is None:
            return
        request = request_of(scope, body)
        match = request.resolver_match
        if match and iscoroutinefunction(match.func):
            response = problems.in_our_words(request, await match.func(request, *match.args, **match.kwargs))
        else:
            response = await self._in_a_thread(request, Delivery(send))
        if isinstance(response, HttpResponse):
            if response.status_code not in WITHOUT_BODY:
                response.headers.setdefault("Content-Length", str(len(response.content)))
            await send(start(response))
            await send({"type": "http.response.body", "body": response.content})

    async def _in_a_thread(self, request: ASGIRequest, delivery: "Delivery") -> HttpResponseBase:
        """A thread that waits for a database that hangs cannot be called back: whoever asked is told so meanwhile."""
        work = asyncio.get_running_loop().run_in_executor(self._threads, self._respond, request, delivery)
        await asyncio.wait({work}, timeout=PATIENCE_S)
        if work.done() or delivery.has_begun:
            return await work
        delivery.is_over = True
        work.cancel()  # if no thread was free for it, it is not done at all
        work.add_done_callback(lambda done: done.cancelled() or done.exception())
        raise Refused("unavailable")

    def _respond(self, request: ASGIRequest, deliver: "Delivery") -> HttpResponseBase:
        """All of a sync view's work, parts of a stream included: one thread has one connection to the database."""
        handler = self._machines if problems.is_for_machines(request.path_info) else self._pages
        signals.request_started.send(sender=WideLane, scope=request.scope)
        response = handler.get_response(request)
        try:
            if response.streaming:
                deliver(start(response))
                for part in response:
                    deliver({"type": "http.response.body", "body": part, "more_body": True})
                deliver(END)
        finally:
            response.close()
        return response


class Delivery:
    """For a thread: sends on the server's loop, and waits until the server has taken it; nothing, once it is over."""

    def __init__(self, send: Send) -> None:
        self._send, self._loop = send, asyncio.get_running_loop()
        self.has_begun = self.is_over = False

    def __call__(self, message: Message) -> None:
        asyncio.run_coroutine_threadsafe(self._pass_on(message), self._loop).result()

    async def _pass_on(self, message: Message) -> None:
        if self.is_over:
            raise Refused("unavailable")
        self.has_begun = True
        await self._send(message)


async def read_body(scope: Scope, receive: Receive) -> bytes | None:
    """None: the client has gone. A view that reads a body which was too large is told so when it reads it."""
    parts = []
    try:
        while (message := await receive())["type"] != "http.disconnect":
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                return b"".join(parts)
    except TooLarge:
        if scope["method"] not in ("POST", "PUT", "PATCH") or not scope["path"].startswith("/api/"):
            raise
        scope["too_large"] = True
        return b" "
    return None


def request_of(scope: Scope, body: bytes) -> ASGIRequest:
    """With its view already looked up, if there is one: whether it is async decides where it runs."""
    try:
        request = ASGIRequest(scope, BytesIO(body))
    except UnicodeDecodeError:
        raise BadRequest from None
    request.META["CONTENT_LENGTH"] = str(len(body))  # a body that came in chunks has none
    try:
        request.resolver_match = match = get_resolver().resolve(request.path_info)
        scope["route"] = f"/{match.route}"
    except Resolver404:
        request.resolver_match = None
    return request


def start(response: HttpResponseBase) -> Message:
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    headers = [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    headers += [(b"set-cookie", cookie.output(header="").strip().encode()) for cookie in response.cookies.values()]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}
