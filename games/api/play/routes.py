"""Which calls take the fast lane, and what is done for every one of them: who asks, how often, and what went wrong."""

import contextlib
import re
from collections.abc import Awaitable, Callable
from uuid import UUID

from games.api.play import actions, long_poll, server_sent_events
from games.api.play import game_view as game
from games.api.play.authentication import Visitor, visitor
from games.api.play.http import Disconnected, Receive, Request, Response, Scope, Send, by_name
from players.database.ids import uuid_of

Handler = Callable[[Request, UUID, Visitor], Awaitable[Response]]
Way = tuple[str, Handler, UUID]

GAME = r"/api/v1/games/([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})"
ROUTES: dict[tuple[str, str], tuple[str, Handler]] = {
    ("POST", "/actions"): ("actions", actions.post),
    ("GET", ""): ("reads", game.get),
    ("GET", "/events"): ("reads", long_poll.get),
    ("GET", "/stream"): ("reads", server_sent_events.get),
}
PATH = re.compile(GAME + r"(/actions|/events|/stream|)")


def way(method: str, path: str) -> Way | None:
    """The limit, the handler and the game of a call, if it is one of the fast lane's.

    >>> way("POST", "/api/v1/games/0192f0c0-0000-7000-8000-000000000000/actions")[0]
    'actions'
    >>> way("POST", "/api/v1/games/0192f0c0-0000-7000-8000-000000000000")
    """
    found = PATH.fullmatch(path) if path.startswith("/api/v1/games/") else None
    return way_of(method, found[1], found[2]) if found else None


def way_of(method: str, game: str, end: str) -> Way | None:
    """The same, where the path has been taken apart already."""
    route = ROUTES.get((method, end))
    return (*route, uuid_of(game)) if route else None


async def application(way: Way, scope: Scope, receive: Receive, send: Send) -> None:
    """A plain ASGI application of one call; whatever it raises becomes a problem document at the doorstep."""
    request = Request(scope["path"], by_name(scope["headers"]), scope.get("query_string", b""), None, receive)
    with contextlib.suppress(Disconnected):
        await (await answer(way, request)).send(send)


async def answer(way: Way, request: Request) -> Response:
    limit, handler, game_id = way
    return await handler(request, game_id, await visitor(request, limit))
