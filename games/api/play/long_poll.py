"""GET /games/{id}/events: the events after a version, at once or as soon as there is one."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from games import clock, queries, runtime
from games.api.play.event_feed import EventFeed, client_of, open_feed
from games.api.play.requests import all_of, json_response, number, player_of, query, session_of, version
from games.game.events import Data
from games.timekeeping import deadlines

LONGEST_WAIT_S = 30
MOST_EVENTS = 1000


async def get(request: Request, operation: str) -> Response:
    session, game_id = await session_of(request, operation, "reads"), request.path_params["game_id"]
    player, parameters = player_of(session), query(request)
    engine = await runtime.engine()
    await deadlines.up_to_date(engine, game_id, player, clock.now())
    after, limit, wait_s = all_of(
        lambda: max(0, version(parameters, "after", 0)),
        lambda: number(parameters, "limit", 100, 1, MOST_EVENTS),
        lambda: number(parameters, "wait", 0, 0, LONGEST_WAIT_S),
    )
    if wait_s:
        with open_feed(engine, await runtime.hub(), request, session) as feed:
            page = await _next_page(request, feed, after, limit, wait_s)
    else:
        async with engine.log_reads.turn(client_of(request, session)):
            page = await queries.events_since(engine, game_id, player, after, limit)
    return json_response(page, {"Cache-Control": "private, no-cache"})


async def _next_page(request: Request, feed: EventFeed, after: int, limit: int, wait_s: int) -> Data:
    until = time.monotonic() + wait_s
    page = await feed.read(after, limit)
    if page["results"]:
        return page
    async with _disconnection(request, feed) as has_gone:
        while not page["results"] and await feed.has_news(until - time.monotonic()):
            if has_gone.is_set():
                raise ClientDisconnect
            page = await feed.read(after, limit)
    return page


@contextlib.asynccontextmanager
async def _disconnection(request: Request, feed: EventFeed) -> AsyncIterator[asyncio.Event]:
    """An event that is set, as news, when the client disconnects."""
    has_gone = asyncio.Event()

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        has_gone.set()
        feed.news.set()

    listener = asyncio.create_task(listen())
    try:
        yield has_gone
    finally:
        listener.cancel()
