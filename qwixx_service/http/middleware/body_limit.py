"""ASGI middleware that limits the size of a request's body."""

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
        length, is_chunked = declared(scope)
        if is_chunked:
            body = await read_up_to(self._limit, receive)
            scope["headers"] = [*scope["headers"], (b"content-length", b"%d" % len(body))]  # WSGI reads no more
            is_too_large, receive = len(body) > self._limit, repeat(body, receive)
        else:
            is_too_large = length > self._limit
        if is_too_large:
            if scope["method"] not in BODY_METHODS or not scope["path"].startswith(API):
                raise Refused("too_large")
            receive = refuse
        return await self.app(scope, receive, send)


def declared(scope: Scope) -> tuple[int, bool]:
    """The length of the body that the head names, and whether it comes in chunks; the server has checked both.

    >>> declared({"headers": [(b"host", b"a"), (b"content-length", b"12")]})
    (12, False)
    >>> declared({"headers": [(b"transfer-encoding", b"chunked")]}), declared({"headers": []})
    ((0, True), (0, False))
    """
    length, is_chunked = 0, False
    for name, value in scope["headers"]:
        if name == b"content-length":
            length = int(value)
        elif name == b"transfer-encoding":
            is_chunked = True
    return length, is_chunked


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
