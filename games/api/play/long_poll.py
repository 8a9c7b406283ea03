"""GET /games/{id}/events: the events after a version, at once or as soon as there is one."""

import asyncio
import time

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from games import calls, queries, runtime
from games.api.play.requests import json_response, number, player_of, query, session_of, version
from games.rules.refused import Refused
from games.timekeeping import deadlines
from players.sessions.authentication import AuthenticatedSession

LONGEST_WAIT_S = 30
CHECK_EVERY_S = 0.5  # the longest that a revoked token goes on waiting


async def get(request: Request) -> Response:
    session, game_id = await session_of(request, "reads"), request.path_params["game_id"]
    player, parameters = player_of(session), query(request)
    engine, hub = await runtime.engine(), await runtime.hub()
    await deadlines.up_to_date(engine, game_id, player, calls.now())
    after = max(0, version(parameters, "after", 0))
    limit = number(parameters, "limit", 100, 1, 1000)
    until = time.monotonic() + number(parameters, "wait", 0, 0, LONGEST_WAIT_S)
    # Subscribe, then read, then wait: what is committed in between is either read or announced.
    with hub.watching(str(game_id)) as news:
        page = await queries.events_since(engine, game_id, player, after, limit)
        while not page["results"] and await has_news(news, session, until, request):
            news.clear()
            page = await queries.events_since(engine, game_id, player, after, limit)
    return json_response(page, {"Cache-Control": "private, no-cache"})


async def has_news(
    news: asyncio.Event, session: AuthenticatedSession, until: float, request: Request | None = None
) -> bool:
    """True at news, False at the end of the time; ends early when the token is revoked or the client has gone."""
    while (seconds := until - time.monotonic()) > 0:
        try:
            async with asyncio.timeout(min(seconds, CHECK_EVERY_S)):
                return await news.wait()
        except TimeoutError:
            if not await session.is_valid():
                raise Refused("not_authenticated") from None
            if request is not None and await request.is_disconnected():
                raise ClientDisconnect from None
    return False
