"""What every HTTP request passes on its way in and out, in both lanes: its id, the limit of its body, the origins of
browsers, metrics, and exceptions that become problem documents. Bare ASGI: it is on the path of every move."""

import logging
import re
from collections.abc import Collection, Mapping
from random import getrandbits
from time import perf_counter
from typing import Any

from games.api import play
from games.api.play.http import Response, on_the_wire
from games.rules.refused import Refused
from players.languages.accept_language import preferred
from qwixx_service.http.asgi_types import Application, Header, Message, Receive, Scope, Send
from qwixx_service.http.cors import Cors, is_preflight
from qwixx_service.http.errors import of_exception
from qwixx_service.http.plain import Call
from qwixx_service.observability import metrics

BODY_LIMIT = 64 * 1024
SAFE_ID = re.compile(rb"[A-Za-z0-9._~:/+=-]{1,64}")
CLIENT_WENT = 499  # no status of HTTP: nobody was there to be answered

logger = logging.getLogger(__name__)


class TooLarge(Refused):
    """Raised to whoever reads the body, and no earlier: who may not even ask is told so first."""

    def __init__(self) -> None:
        super().__init__("too_large")


class Doorstep:
    """Stands before an ASGI application. Nothing that it raises gets past, unless its answer is already under way."""

    def __init__(self, application: Application, origins: Collection[str] = ()) -> None:
        self._application = application
        self._cors = Cors(origins) if origins else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope["headers"])
        visit = Visit(scope, given, send)
        if b"content-length" in given or b"transfer-encoding" in given:
            receive = within_limit(receive, given)
        try:
            if self._cors:
                visit.headers += self._cors.headers(given)
            if scope["method"] == "OPTIONS" and is_preflight(given):
                await visit.answer(204, self._cors.preflight(given) if self._cors else ())
            else:
                await self._application(scope, receive, visit.send)
        except Exception as error:  # noqa: BLE001  (the last place where it can be told to anybody)
            await visit.failed(error)
        finally:
            lane = scope.get("lane", "wide")
            route = scope["path"] if lane == "fast" else scope.get("route", "none")
            metrics.note((lane, scope["method"], route, visit.status or CLIENT_WENT, visit.seconds))

    async def answered(self, call: Call) -> Response:
        """All of this for a call that is all here, and is answered in one piece: most moves are."""
        began, request = perf_counter(), call.request
        request_id = id_of(request.headers)
        try:
            response = await play.answer(call.way, request)
        except Exception as error:  # noqa: BLE001  (as above)
            response = told(error, request.headers, request_id)
        metrics.note(("fast", call.method, request.path, response.status, perf_counter() - began))
        response.headers.append((b"x-request-id", request_id.encode()))
        if self._cors:
            response.headers.extend(self._cors.headers(request.headers))
        return response


class Visit:
    """One request: its id, when it came, and how far its answer has got."""

    __slots__ = ("_began", "_given", "_scope", "_send", "headers", "seconds", "status")

    def __init__(self, scope: Scope, given: Mapping[bytes, bytes], send: Send) -> None:
        self._began = perf_counter()
        self._scope = scope
        self._given = given
        self._send = send
        self.seconds = 0.0
        self.status = 0
        scope["request_id"] = request_id = id_of(given)
        self.headers: list[Header] = [(b"x-request-id", request_id.encode())]

    def send(self, message: Message) -> Any:
        """Not a coroutine itself, which would cost one more at every message: it returns the server's own."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.seconds = perf_counter() - self._began
            message = {**message, "headers": [*message.get("headers", ()), *self.headers]}
        return self._send(message)

    async def answer(self, status: int, headers: Collection[Header], body: bytes = b"") -> None:
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    async def failed(self, error: Exception) -> None:
        """What has begun cannot be taken back: the server closes the line, and the client sees it."""
        request_id = self._scope["request_id"]
        if self.status:
            logger.error("request %s broke off", request_id, exc_info=error)
            return
        response = told(error, self._given, request_id)
        await self.answer(response.status, response.headers, response.body)


def told(error: Exception, given: Mapping[bytes, bytes], request_id: str) -> Response:
    """What went wrong, as a problem document."""
    language = preferred(given.get(b"accept-language", b"").decode("latin-1"))
    problem = of_exception(error, language=language, request_id=request_id)
    headers = [(b"vary", b"Accept-Language"), (b"content-length", b"%d" % len(problem.body))]
    return Response(problem.status, on_the_wire(problem.headers) + headers, problem.body)


def id_of(given: Mapping[bytes, bytes]) -> str:
    """Of a request with these headers."""
    return kept_id(given[b"x-request-id"]) if b"x-request-id" in given else new_id()


def new_id() -> str:
    """Names a request and guards nothing: cheap luck will do."""
    return f"{getrandbits(96):024x}"


def kept_id(wanted: bytes) -> str:
    """The client's, if it can do no harm in a log."""
    return wanted.decode() if SAFE_ID.fullmatch(wanted) else new_id()


def within_limit(receive: Receive, given: Mapping[bytes, bytes]) -> Receive:
    """What the server hands on is never longer than it was declared, so that only the rest has to be counted."""
    declared = given.get(b"content-length", b"")
    if len(declared) > 5 or (declared and int(declared) > BODY_LIMIT):
        return Limited(receive, 0)
    return Limited(receive, BODY_LIMIT + 1) if b"transfer-encoding" in given else receive


class Limited:
    """Hands the body on while it stays within the limit; after that only the news that the client has gone."""

    def __init__(self, receive: Receive, room: int) -> None:
        self._receive, self._room = receive, room
        self._has_told = False

    async def __call__(self) -> Message:
        if self._has_told:
            return await self._disconnect()
        if self._room > 0:
            message = await self._receive()
            self._room -= len(message.get("body", b""))
            if self._room > 0:
                return message
        self._has_told = True
        raise TooLarge

    async def _disconnect(self) -> Message:
        while (message := await self._receive())["type"] != "http.disconnect":
            pass
        return message
