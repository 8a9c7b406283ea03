"""GET /players/me/games/stream: the caller's finished games as NDJSON, in the order of their ends, resumable."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import timedelta
from functools import partial
from uuid import UUID

import msgspec
from django.http import QueryDict
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from games import clock, runtime
from games.api import list_filters
from games.api.play.event_feed import client_of
from games.api.play.requests import query, session_of
from games.engine.engine import Engine
from games.game.events import stamp
from games.log.reads import played_games
from games.log.reads.game_filters import GameFilters
from games.log.reads.in_thread import read_in_thread
from games.log.reads.played_games import GameKey
from players.limits.budgets import GAMES_PER_STREAM, GAMES_STREAM_S
from players.limits.fair_queue import Client
from players.limits.open_streams import open_streams
from players.sessions.authentication import AuthenticatedSession
from players.sessions.directory import directory

MEDIA_TYPE = "application/x-ndjson"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
PAGE_SIZE = 100
# A game's end is stored a moment after the time that it names: a younger one could be passed over by a cursor.
SETTLED_AFTER = timedelta(seconds=5)


async def get(request: Request, operation: str) -> Response:
    session = await session_of(request, operation, "game_streams")
    query(request)  # refuses too many parameters
    filters, after = list_filters.read_stream(QueryDict(request.url.query))
    if request.method == "HEAD":
        return Response(headers=HEADERS, media_type=MEDIA_TYPE)
    engine, client = await runtime.engine(), client_of(request, session)
    keys = await _keys(engine, client, session.identity.player, filters, after)
    return GamesStream(engine, client, session, keys, after)


async def _keys(
    engine: Engine, client: Client, player: UUID, filters: GameFilters, after: GameKey | None
) -> list[GameKey]:
    until = clock.now() - SETTLED_AFTER
    async with engine.log_reads.turn(client):
        return await read_in_thread(played_games.keys, filters, player, after, until, GAMES_PER_STREAM + 1)


class GamesStream(StreamingResponse):
    """One page at a time is in memory; the next one is read when the client has taken it."""

    def __init__(
        self,
        engine: Engine,
        client: Client,
        session: AuthenticatedSession,
        keys: list[GameKey],
        after: GameKey | None,
    ) -> None:
        self._engine, self._client, self._session, self._keys = engine, client, session, keys
        self._after = after
        self._has_ended = asyncio.Event()  # the session
        self._text = self._pages(time.monotonic() + GAMES_STREAM_S)
        super().__init__(self._text, headers=HEADERS, media_type=MEDIA_TYPE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        identity = self._session.identity
        with (
            open_streams.counted(identity.session, self._client.address),
            directory.holding(identity.session, self._has_ended.set, until=identity.expires_at),
        ):
            async with aclosing(self._text):
                await super().__call__(scope, receive, send)

    async def _pages(self, until: float) -> AsyncGenerator[bytes, None]:
        """Without the last line, a client has not received everything and resumes after the last cursor."""
        keys = self._keys[:GAMES_PER_STREAM]
        sent = 0
        while sent < len(keys) and time.monotonic() < until:
            if self._has_ended.is_set() or not await self._session.is_valid():
                return
            wanted = keys[sent : sent + PAGE_SIZE]
            async with self._engine.log_reads.turn(self._client):
                page = await read_in_thread(partial(played_games.page, wanted, self._session.identity.player))
            cursors = {str(key.game): cursor(key) for key in wanted}
            yield b"".join(_line({"cursor": cursors[game["id"]], "game": game}) for game in page)
            sent += len(wanted)
        last = keys[sent - 1] if sent else self._after
        yield _line({"complete": sent == len(self._keys), "cursor": cursor(last) if last else None})


def cursor(key: GameKey) -> str:
    return f"{stamp(key.ended_at)}_{key.game}"


def _line(content: object) -> bytes:
    return msgspec.json.encode(content) + b"\n"
