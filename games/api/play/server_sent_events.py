"""GET /games/{id}/stream: the events of a game as Server-Sent Events, from any version on, then live."""

import contextlib
import time
from collections.abc import AsyncIterator
from uuid import UUID

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from games import calls, queries, runtime
from games.api.play.long_poll import has_news
from games.api.play.requests import header, player_of, query, session_of, version
from games.rules.refused import Refused
from games.timekeeping import deadlines
from players.database.refusal import RequestRefused
from players.sessions.authentication import AuthenticatedSession

HEARTBEAT_S = 15.0
PAGE_SIZE = 500
MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}


async def get(request: Request) -> Response:
    session, game_id = await session_of(request, "reads", query(request).get("ticket")), request.path_params["game_id"]
    await deadlines.up_to_date(await runtime.engine(), game_id, player_of(session), calls.now())
    after = _last_version(request)
    if request.method == "HEAD":
        return Response(headers=HEADERS, media_type=MEDIA_TYPE)
    return StreamingResponse(_events(game_id, session, after), headers=HEADERS, media_type=MEDIA_TYPE)


async def _events(game_id: UUID, session: AuthenticatedSession, after: int) -> AsyncIterator[bytes]:
    """Ends when the token is revoked, the player may no longer see the game, or the database does not answer.

    Starlette cancels it when the client has gone.
    """
    engine, hub = await runtime.engine(), await runtime.hub()
    yield b": qx.v1\n\n"
    with contextlib.suppress(Refused, RequestRefused), hub.watching(str(game_id)) as news:
        while True:
            page = await queries.events_since(engine, game_id, player_of(session), after, PAGE_SIZE)
            for event in page["results"]:
                after = event["version"]
                data = msgspec.json.encode(event)
                yield b"id: %d\nevent: %s\ndata: %s\n\n" % (after, event["type"].encode(), data)
            if not page["results"] and not await has_news(news, session, time.monotonic() + HEARTBEAT_S):
                yield b": version %d\n\n" % page["version"]
            news.clear()


def _last_version(request: Request) -> int:
    """The version that the client has: its last event's id, which a browser sends by itself, or the query's `after`."""
    last = header(request, "last-event-id")
    given, name = ({"Last-Event-ID": last}, "Last-Event-ID") if last else (query(request), "after")
    return max(0, version(given, name, 0))
