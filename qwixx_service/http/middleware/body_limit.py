"""ASGI middleware that limits the size of a request's body."""

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from games.rules.refused import Refused
from players.limits.budgets import BODY_BYTES

BODY_LIMIT = BODY_BYTES
BODY_METHODS = ("POST", "PUT", "PATCH")
API = "/api/"


class BodyLimit:
    """A view of the API learns that the body is too large when it reads it: 401 and 404 come before 413."""

    def __init__(self, app: ASGIApp, limit: int = BODY_LIMIT) -> None:
        self.app, self._limit = app, limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        if "transfer-encoding" in headers:
            body = await read_up_to(self._limit, receive)
            scope["headers"] = [*scope["headers"], (b"content-length", b"%d" % len(body))]  # WSGI reads no more
            is_too_large, receive = len(body) > self._limit, repeat(body, receive)
        else:
            is_too_large = int(headers.get("content-length", 0)) > self._limit
        if is_too_large:
            if scope["method"] not in BODY_METHODS or not scope["path"].startswith(API):
                raise Refused("too_large")
            receive = refuse
        return await self.app(scope, receive, send)


async def read_up_to(limit: int, receive: Receive) -> bytes:
    """The body of a request; one chunk beyond the limit is enough."""
    body, more = b"", True
    while more and len(body) <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect  # half a body may look like a whole one
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


def repeat(body: bytes, receive: Receive) -> Receive:
    """Hand out a body that was read already, then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


async def refuse() -> Message:
    raise Refused("too_large")
