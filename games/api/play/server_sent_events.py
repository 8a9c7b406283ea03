"""GET /games/{id}/stream: the events of a game as Server-Sent Events, from any version on, then live."""

from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, aclosing

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from games import clock, runtime
from games.api.play.event_feed import EventFeed, open_feed
from games.api.play.requests import header, player_of, query, session_of, version, whole_number
from games.game.events import Data
from games.rules.refused import Refused
from games.timekeeping import deadlines
from players.database.refusal import RequestRefused

HEARTBEAT_S = 15.0
PAGE_SIZE = 500
MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}


async def get(request: Request, operation: str) -> Response:
    session = await session_of(request, operation, "reads", query(request).get("ticket"))
    game_id = request.path_params["game_id"]
    engine = await runtime.engine()
    await deadlines.up_to_date(engine, game_id, player_of(session), clock.now())
    after = _last_version(request)
    if request.method == "HEAD":
        return Response(headers=HEADERS, media_type=MEDIA_TYPE)
    return EventStream(open_feed(engine, await runtime.hub(), request, session), after)


class EventStream(StreamingResponse):
    """The feed is open while the response is sent: a refused one is a problem document, and every end closes it."""

    _feed: EventFeed

    def __init__(self, opening: AbstractContextManager[EventFeed], after: int) -> None:
        self._opening, self._text = opening, self._batches(after)
        super().__init__(self._text, headers=HEADERS, media_type=MEDIA_TYPE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Starlette cancels the batches when the client has gone."""
        with self._opening as self._feed:
            async with aclosing(self._text):
                await super().__call__(scope, receive, send)

    async def _batches(self, after: int) -> AsyncGenerator[bytes, None]:
        """One chunk for each read; it ends when the session or the right to see the game does."""
        yield b": qx.v1\n\n"
        while True:
            try:
                page = await self._feed.read(after, PAGE_SIZE)
            except (Refused, RequestRefused):
                return
            if events := page["results"]:
                after = events[-1]["version"]
                yield b"".join([_text(event) for event in events])
            if len(events) < PAGE_SIZE and not await self._feed.has_news(HEARTBEAT_S):
                yield b": version %d\n\n" % page["version"]


def _text(event: Data) -> bytes:
    data = msgspec.json.encode(event)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event["version"], event["type"].encode(), data)


def _last_version(request: Request) -> int:
    """The version that the client has: its last event's id, which a browser sends by itself, or the query's `after`."""
    last = header(request, "last-event-id")
    return max(0, whole_number(last, "Last-Event-ID") if last else version(query(request), "after", 0))
