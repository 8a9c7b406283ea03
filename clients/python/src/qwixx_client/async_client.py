"""The client for asynchronous programs: every call of the API, and the streams."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any, Self, Unpack

import httpx
from websockets.asyncio.client import ClientConnection, connect

from qwixx_client import requests
from qwixx_client.back_off import BackOff, Pauses
from qwixx_client.calls import AsyncCalls
from qwixx_client.models import CreateGame, Game, JoinByCode, JoinGame
from qwixx_client.problems import GAME_NOT_OPEN, LOST, ProblemError, final_error
from qwixx_client.requests import random_key
from qwixx_client.streams import sockets
from qwixx_client.streams.async_game_stream import AsyncGameStream
from qwixx_client.streams.frames import LobbyFrame, Notification
from qwixx_client.streams.state import OnPhrase, StreamState


class AsyncClient(AsyncCalls):
    """Lost requests are repeated; each POST has an Idempotency-Key, so that it counts once."""

    def __init__(
        self, url: str, token: str | None = None, *, language: str | None = None, pauses: Pauses | None = None
    ) -> None:
        self.url, self.token, self._pauses = url.rstrip("/"), token, pauses or Pauses()
        self.headers = requests.headers(token, language)
        self.http = httpx.AsyncClient(base_url=self.url, headers=self.headers, timeout=requests.TIMEOUT_S)

    @classmethod
    async def guest(cls, url: str, name: str | None = None, **options: Any) -> Self:
        """A client of a new guest: one call from install to play. Keep its `token`."""
        async with cls(url, **options) as client:
            session = await (client.create_guest(name=name) if name is not None else client.create_guest())
        return cls(url, session["token"], **options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self.http.aclose()

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        key: str | None = None,
    ) -> Any:
        attempts = requests.Attempts(self._pauses)
        options = requests.options(method, query, body, key)
        while True:
            attempts.start()
            try:
                response = await self.http.request(method, path, **options)
            except httpx.TransportError as error:
                await asyncio.sleep(attempts.pause_s(error))
                continue
            if attempts.is_answered(response):
                return requests.checked(response)
            await asyncio.sleep(attempts.pause_s(response))

    async def create_game(self, *, idempotency_key: str | None = None, **body: Unpack[CreateGame]) -> Game:
        """Creates a game. This call and the next two give a random client seed once the commitment is known; a given
        `client_seed` stands."""
        body.setdefault("late_seed", body.get("client_seed") is None)
        return await self.give_random_seed(await super().create_game(idempotency_key=idempotency_key, **body))

    async def join_game(self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[JoinGame]) -> Game:
        """Takes the next free seat."""
        body.setdefault("late_seed", body.get("client_seed") is None)
        return await self.give_random_seed(await super().join_game(game_id, idempotency_key=idempotency_key, **body))

    async def join_game_by_code(self, *, idempotency_key: str | None = None, **body: Unpack[JoinByCode]) -> Game:
        """Takes the next free seat of the game with this code."""
        body.setdefault("late_seed", body.get("client_seed") is None)
        return await self.give_random_seed(await super().join_game_by_code(idempotency_key=idempotency_key, **body))

    async def give_random_seed(self, game: Game) -> Game:
        """Gives the seed that a game waits for, if this player announced one: for matches, rematches, invitations."""
        start = game.get("start")
        if not start or game["you"] not in start["waiting_for"]:
            return game
        try:
            return await self.give_seed(game["id"], client_seed=random_key())
        except ProblemError as refused:
            if refused.status != GAME_NOT_OPEN:
                raise
            return await self.read_game(game["id"])  # it has started meanwhile

    def stream(
        self, game_id: str, *, after: int | None = None, until_end: bool = True, on_phrase: OnPhrase | None = None
    ) -> AsyncGameStream:
        """A game as it goes on: from the present, or with all events after a version."""
        state = StreamState(game_id, after, until_end=until_end, on_phrase=on_phrase)
        return AsyncGameStream(state, self._pauses, self._connect, self.read_game)

    def notifications(self) -> AsyncIterator[Notification]:
        """What happens to this player anywhere. Each connection starts with `hello`: read over REST then what
        happened before, as the list of invitations."""
        return self._feed("/ws/v1/me")

    def lobby(self, **query: str) -> AsyncIterator[LobbyFrame]:
        """Open games, by `ruleset` and `sheet`: on each connection all of them, then each that changes."""
        return self._feed(f"/ws/v1/lobby?{httpx.QueryParams(query)}")

    async def _connect(self, path: str) -> ClientConnection:
        socket: ClientConnection = await connect(sockets.address(self.url, path), **sockets.options(self.headers))
        return socket

    async def _feed(self, path: str) -> AsyncIterator[Any]:
        back_off = BackOff(self._pauses)
        while True:
            try:
                async with await self._connect(path) as socket:
                    while True:
                        async with asyncio.timeout(requests.SILENCE_S):
                            frame = json.loads(await socket.recv())
                        back_off.reset()
                        if frame["type"] != "heartbeat":
                            yield frame
            except LOST as error:
                if final := final_error(error):
                    raise final from error
            await asyncio.sleep(back_off.next_s())
