"""ASGI middleware that gives every request an id: the client's own `X-Request-ID`, or a new one."""

import re
from random import getrandbits

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from players.telemetry import log_context

SAFE_ID = re.compile(r"[A-Za-z0-9._~:/+=-]{1,64}")


class RequestIds:
    """Puts the id into the scope, into the headers of an HTTP response, and into every log line of the request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        scope["request_id"] = request_id = request_id_of(Headers(scope=scope).get("x-request-id", ""))
        log_context.begin(request=request_id)
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-request-id"] = request_id
            await send(message)

        return await self.app(scope, receive, send_with_id)


def request_id_of(wanted: str) -> str:
    """The client's id if it is safe to write into a log; an id protects nothing, so that any random number will do."""
    return wanted if SAFE_ID.fullmatch(wanted) else f"{getrandbits(96):024x}"
