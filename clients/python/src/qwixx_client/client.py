"""The client for synchronous programs: every call of the API, and the streams."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self, Unpack

import httpx
from websockets.sync.client import ClientConnection, connect

from qwixx_client import requests
from qwixx_client.back_off import BackOff, Pauses
from qwixx_client.calls import Calls
from qwixx_client.models import CreateGame, Game, JoinByCode, JoinGame
from qwixx_client.problems import GAME_NOT_OPEN, LOST, ProblemError, final_error
from qwixx_client.requests import random_key
from qwixx_client.streams import sockets
from qwixx_client.streams.frames import LobbyFrame, Notification
from qwixx_client.streams.game_stream import GameStream
from qwixx_client.streams.state import OnPhrase, StreamState


class Client(Calls):
    """Lost requests are repeated; each POST has an Idempotency-Key, so that it counts once."""

    def __init__(
        self, url: str, token: str | None = None, *, language: str | None = None, pauses: Pauses | None = None
    ) -> None:
        self.url, self.token, self._pauses = url.rstrip("/"), token, pauses or Pauses()
        self.headers = requests.headers(token, language)
        self.http = httpx.Client(base_url=self.url, headers=self.headers, timeout=requests.TIMEOUT_S)

    @classmethod
    def guest(cls, url: str, name: str | None = None, **options: Any) -> Self:
        """A client of a new guest: one call from install to play. Keep its `token`."""
        with cls(url, **options) as client:
            session = client.create_guest(name=name) if name is not None else client.create_guest()
        return cls(url, session["token"], **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.http.close()

    def call(
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
                response = self.http.request(method, path, **options)
            except httpx.TransportError as error:
                time.sleep(attempts.pause_s(error))
                continue
            if attempts.is_answered(response):
                return requests.checked(response)
            time.sleep(attempts.pause_s(response))

    def create_game(self, *, idempotency_key: str | None = None, **body: Unpack[CreateGame]) -> Game:
        """Creates a game. This call and the next two give a random client seed once the commitment is known; a given
        `client_seed` stands."""
        body.setdefault("late_seed", body.get("client_seed") is None)
        return self.give_random_seed(super().create_game(idempotency_key=idempotency_key, **body))

    def join_game(self, game_id: str, /, *, idempotency_key: str | None = None, **body: Unpack[JoinGame]) -> Game:
        """Takes the next free seat."""
        body.setdefault("late_seed", body.get("client_seed") is None)
        return self.give_random_seed(super().join_game(game_id, idempotency_key=idempotency_key, **body))

    def join_game_by_code(self, *, idempotency_key: str | None = None, **body: Unpack[JoinByCode]) -> Game:
        """Takes the next free seat of the game with this code."""
        body.setdefault("late_seed", body.get("client_seed") is None)
        return self.give_random_seed(super().join_game_by_code(idempotency_key=idempotency_key, **body))

    def give_random_seed(self, game: Game) -> Game:
        """Gives the seed that a game waits for, if this player announced one: for matches, rematches, invitations."""
        start = game.get("start")
        if not start or game["you"] not in start["waiting_for"]:
            return game
        try:
            return self.give_seed(game["id"], client_seed=random_key())
        except ProblemError as refused:
            if refused.status != GAME_NOT_OPEN:
                raise
            return self.read_game(game["id"])  # it has started meanwhile

    def stream(
        self, game_id: str, *, after: int | None = None, until_end: bool = True, on_phrase: OnPhrase | None = None
    ) -> GameStream:
        """A game as it goes on: from the present, or with all events after a version."""
        state = StreamState(game_id, after, until_end=until_end, on_phrase=on_phrase)
        return GameStream(state, self._pauses, self._connect, self.read_game)

    def notifications(self) -> Iterator[Notification]:
        """What happens to this player anywhere. Each connection starts with `hello`: read over REST then what
        happened before, as the list of invitations."""
        return self._feed("/ws/v1/me")

    def lobby(self, **query: str) -> Iterator[LobbyFrame]:
        """Open games, by `ruleset` and `sheet`: on each connection all of them, then each that changes."""
        return self._feed(f"/ws/v1/lobby?{httpx.QueryParams(query)}")

    def _connect(self, path: str) -> AbstractContextManager[ClientConnection]:
        socket: AbstractContextManager[ClientConnection]
        socket = connect(sockets.address(self.url, path), **sockets.options(self.headers))
        return socket

    def _feed(self, path: str) -> Iterator[Any]:
        back_off = BackOff(self._pauses)
        while True:
            try:
                with self._connect(path) as socket:
                    while True:
                        frame = json.loads(socket.recv(timeout=requests.SILENCE_S))
                        back_off.reset()
                        if frame["type"] != "heartbeat":
                            yield frame
            except LOST as error:
                if final := final_error(error):
                    raise final from error
            time.sleep(back_off.next_s())
