"""Which calls take the fast lane, and what is done for every one of them: who asks, how often, and what went wrong."""

import re
from collections.abc import Awaitable, Callable
from uuid import UUID

from games.fast import actions, events, game, stream
from games.fast.door import Visitor, visitor
from games.fast.http import Disconnected, Receive, Request, Response, Scope, Send
from players.ids import uuid_of

Handler = Callable[[Request, UUID, Visitor, Send], Awaitable[Response | None]]

GAME = r"/api/v1/games/([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})"
ROUTES: dict[tuple[str, str], tuple[str, Handler]] = {
    ("POST", "/actions"): ("actions", actions.post),
    ("GET", ""): ("reads", game.get),
    ("GET", "/events"): ("reads", events.get),
    ("GET", "/stream"): ("reads", stream.get),
}
PATH = re.compile(GAME + r"(/actions|/events|/stream|)")


def serves(method: str, path: str) -> bool:
    """Is this call one of the fast lane's?

    >>> serves("POST", "/api/v1/games/0192f0c0-0000-7000-8000-000000000000/actions")
    True
    >>> serves("POST", "/api/v1/games/0192f0c0-0000-7000-8000-000000000000")
    False
    """
    found = PATH.fullmatch(path) if path.startswith("/api/v1/games/") else None
    return found is not None and (method, found[2]) in ROUTES


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """A plain ASGI application; whatever it raises becomes a problem document at the doorstep."""
    found = PATH.fullmatch(scope["path"])
    if found is None:
        raise LookupError(scope["path"])
    limit, handler = ROUTES[scope["method"], found[2]]
    request = Request(scope, receive)
    try:
        response = await handler(request, uuid_of(found[1]), await visitor(request, limit), send)
    except Disconnected:
        return
    if response is not None:
        await response.send(scope, send)
