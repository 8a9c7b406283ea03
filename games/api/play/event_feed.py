"""The events of one game for one session over HTTP: read in batches, and waited for without polling."""

import asyncio
import contextlib
from collections.abc import Iterator
from uuid import UUID

from starlette.requests import Request

from games import queries
from games.api.play.requests import player_of
from games.engine.engine import Engine
from games.game.events import Data
from games.live.hub import Hub
from games.rules.refused import Refused
from players.database.ids import text_of
from players.limits.addresses import client_address
from players.limits.fair_queue import Client
from players.limits.open_streams import open_streams
from players.sessions.authentication import AuthenticatedSession
from players.sessions.directory import directory


class EventFeed:
    """Each batch is judged by the rights that the session has when it is read: a token may have been revoked, a player
    banned, a seat of a private game freed."""

    def __init__(
        self,
        engine: Engine,
        hub: Hub,
        game_id: UUID,
        session: AuthenticatedSession,
        client: Client,
        news: asyncio.Event,
    ) -> None:
        self.news = news  # set at every commit of the game, and when the session ends
        self._engine, self._hub, self._game_id = engine, hub, game_id
        self._session, self._client = session, client

    async def read(self, after: int, limit: int) -> Data:
        """The events after a version. Every commit during the read sets `news`, even if its events are returned."""
        await self._hub.hears_game(str(self._game_id))
        self.news.clear()
        if not await self._session.is_valid():
            raise Refused("not_authenticated")
        async with self._engine.log_reads.turn(self._client):
            return await queries.events_since(self._engine, self._game_id, player_of(self._session), after, limit)

    async def has_news(self, timeout_s: float) -> bool:
        """Wait; False when the time is over."""
        try:
            async with asyncio.timeout(timeout_s):
                return await self.news.wait()
        except TimeoutError:
            return False


@contextlib.contextmanager
def open_feed(engine: Engine, hub: Hub, request: Request, session: AuthenticatedSession) -> Iterator[EventFeed]:
    """A stream within the budget of its session and address; subscribed before the first batch is read."""
    session_id, expires_at = session.identity.session, session.identity.expires_at
    game_id, client = request.path_params["game_id"], client_of(request, session)
    with (
        open_streams.counted(session_id, client.address),
        hub.watching(str(game_id)) as news,
        directory.holding(session_id, news.set, until=expires_at),
    ):
        yield EventFeed(engine, hub, game_id, session, client, news)


def client_of(request: Request, session: AuthenticatedSession) -> Client:
    return Client(client_address(request.scope), text_of(session.identity.session))
