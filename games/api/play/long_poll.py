"""GET /games/{id}/events: what happened after a version, at once or as soon as something does."""

import asyncio
import time
from uuid import UUID

from games import calls, queries, runtime
from games.api.play.authentication import Visitor
from games.api.play.http import Disconnected, Request, Response, json_response, number, version
from games.rules.refused import Refused
from games.timekeeping import deadlines

LONGEST_WAIT_S = 30
ROUND_S = 0.5  # how long a revoked token may go on waiting


async def get(request: Request, game_id: UUID, visitor: Visitor) -> Response:
    engine, hub = await runtime.engine(), await runtime.hub()
    query = request.query()
    await deadlines.up_to_date(engine, game_id, visitor.player, calls.now())
    await request.body()  # so that all that can be received from now on is that the client has gone
    after = max(0, version(query, "after", 0))
    limit = number(query, "limit", 100, 1, 1000)
    wait_s = number(query, "wait", 0, 0, LONGEST_WAIT_S)
    # Watch, then read, then wait: what is committed in between is either read or heard of.
    with hub.watching(str(game_id)) as news:
        page = await queries.events_since(engine, game_id, visitor.player, after, limit)
        until = time.monotonic() + wait_s
        while not page["results"] and await waited(news, request, visitor, until - time.monotonic()):
            news.clear()
            page = await queries.events_since(engine, game_id, visitor.player, after, limit)
    return json_response(page, {"Cache-Control": "private, no-cache"})


async def waited(news: asyncio.Event, request: Request, visitor: Visitor, seconds: float) -> bool:
    """True at news, False when the time is over. Holds no thread and no connection to the database."""
    heard, gone = asyncio.ensure_future(news.wait()), asyncio.ensure_future(request.receive())
    try:
        while seconds > 0 and not heard.done():
            await asyncio.wait({heard, gone}, timeout=min(seconds, ROUND_S), return_when=asyncio.FIRST_COMPLETED)
            seconds -= ROUND_S
            if gone.done():
                raise Disconnected
            if not await visitor.is_welcome():
                raise Refused("not_authenticated")
        return heard.done()
    finally:
        heard.cancel()
        gone.cancel()
