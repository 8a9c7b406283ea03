"""GET /games/{id}/stream: the events of a game as Server-Sent Events, from any version on, then live."""

import asyncio
import contextlib
from functools import partial
from uuid import UUID

import msgspec

from games import calls, queries, runtime
from games.api.play.authentication import Visitor
from games.api.play.http import Disconnected, Request, Response, Send, version
from games.api.play.long_poll import waited
from games.rules.refused import Refused
from games.timekeeping import deadlines

HEARTBEAT_S = 15.0
PORTION = 500
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]


async def get(request: Request, game_id: UUID, visitor: Visitor) -> Response:
    await deadlines.up_to_date(await runtime.engine(), game_id, visitor.player, calls.now())
    after = _resumed_after(request)
    await request.body()
    return Response(200, HEADERS, write_body=partial(_write_events, request, game_id, visitor, after))


async def _write_events(request: Request, game_id: UUID, visitor: Visitor, after: int, send: Send) -> None:
    engine, hub = await runtime.engine(), await runtime.hub()
    await _write(send, b": qx.v1\n\n")
    with hub.watching(str(game_id)) as news, contextlib.suppress(Disconnected):
        while True:
            page = await queries.events_since(engine, game_id, visitor.player, after, PORTION)
            for event in page["results"]:
                after = event["version"]
                await _write(send, b"id: %d\nevent: %s\ndata: %s\n\n" % (after, event["type"].encode(), _json(event)))
            if not page["results"] and not await _stayed(news, request, visitor):
                await _write(send, b": version %d\n\n" % page["version"])
            news.clear()


async def _stayed(news: asyncio.Event, request: Request, visitor: Visitor) -> bool:
    """True at news, False when it is time for a heartbeat; a client that has gone or was shown out ends the stream."""
    try:
        return await waited(news, request, visitor, HEARTBEAT_S)
    except Refused:
        raise Disconnected from None


def _resumed_after(request: Request) -> int:
    """What the client has: its last event's id, which a browser sends by itself, before what the address says."""
    last = request.header(b"last-event-id")
    return max(
        0, version({"Last-Event-ID": last} if last else request.query(), "Last-Event-ID" if last else "after", 0)
    )


async def _write(send: Send, chunk: bytes) -> None:
    await send({"type": "http.response.body", "body": chunk, "more_body": True})


def _json(event: object) -> bytes:
    return msgspec.json.encode(event)
