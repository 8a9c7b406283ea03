"""Players over HTTP and sockets who never stop: what was acknowledged to them, and how long they could not play."""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from typing import Any
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.chaos.players import Acknowledged

AGAIN_AFTER_S = 0.1
GAVE_UP_S = 60
LOST = (httpx.HTTPError, json.JSONDecodeError)


class PlayersAtWork:
    """Two players to a game, in several games at once, and a socket that follows each game."""

    def __init__(self, address: str, games: int = 4) -> None:
        self.address = address
        self.acknowledged: list[Acknowledged] = []
        self.longest_s = 0.0  # from the first try of a call to its acknowledgement
        self.failures: Counter[str] = Counter()  # of calls that were repeated, by status or error
        self.sockets: list[VersionFollower] = []
        self._count = games
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "PlayersAtWork":
        self._http = httpx.AsyncClient(base_url=self.address + "/api/v1", timeout=GAVE_UP_S)
        self._tasks = [asyncio.create_task(self._play()) for _ in range(self._count)]
        await self.progress(5 * self._count)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for socket in self.sockets:
            await socket.close()
        await self._http.aclose()

    async def progress(self, actions: int) -> None:
        """Return when so many more actions have been acknowledged."""
        wanted = len(self.acknowledged) + actions
        async with asyncio.timeout(2 * GAVE_UP_S):
            while len(self.acknowledged) < wanted:
                await asyncio.wait(self._tasks, timeout=0.02, return_when=asyncio.FIRST_COMPLETED)
                for task in self._tasks:
                    if task.done():
                        task.result()

    async def call(self, method: str, path: str, token: str = "", body: Any = None, key: str = "") -> httpx.Response:
        """Repeat a call until the service takes a decision: under the same key, so that it is carried out once."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        began = time.monotonic()
        while True:
            try:
                answer = await self._http.request(method, path, json=body, headers=headers)
                if answer.status_code < 500 and answer.status_code != 429:
                    self.longest_s = max(self.longest_s, time.monotonic() - began)
                    return answer
                self.failures[f"{answer.status_code} {method}"] += 1
            except LOST as error:
                self.failures[f"{type(error).__name__} {method}"] += 1
            assert time.monotonic() - began < GAVE_UP_S, f"{method} {path} was not answered"
            await asyncio.sleep(AGAIN_AFTER_S)

    async def _play(self) -> None:
        guests = [(await self.call("POST", "/players/guests", body={})).json()["token"] for _ in range(2)]
        while True:
            settings = {"ruleset": "qwixx", "clock": {"roll_s": 3600, "answer_s": 3600}}
            game = (await self.call("POST", "/games", guests[0], settings, str(uuid4()))).json()["id"]
            await self.call("POST", f"/games/{game}/join", guests[1], {}, str(uuid4()))
            self.sockets.append(await VersionFollower.open(self.address, game, guests[0]))
            await self._play_game(game, guests)

    async def _play_game(self, game: str, guests: list[str]) -> None:
        while True:
            for token in guests:
                view = (await self.call("GET", f"/games/{game}", token)).json()
                if view["status"] != "playing":
                    return
                if view["options"]:
                    await self._act(game, token, random.choice(view["options"]))

    async def _act(self, game: str, token: str, action: Any) -> None:
        key = str(uuid4())
        answer = await self.call("POST", f"/games/{game}/actions", token, action, key)
        if answer.status_code == 200:
            versions = tuple(event["version"] for event in answer.json()["events"])
            self.acknowledged.append(Acknowledged(game, key, versions))


class VersionFollower:
    """A socket of a game that is never opened again: it keeps the version that it was told of last."""

    def __init__(self, line: ClientConnection, game: str) -> None:
        self.line, self.game, self.version = line, game, 0
        self.has_closed = False
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, address: str, game: str, token: str) -> "VersionFollower":
        url = f"{address.replace('http', 'ws', 1)}/ws/v1/games/{game}"
        options: dict[str, Any] = {"subprotocols": ["qx.v1"], "proxy": None, "open_timeout": GAVE_UP_S}
        return cls(await connect(url, additional_headers={"Authorization": f"Bearer {token}"}, **options), game)

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed, OSError):
            async for message in self.line:
                frame = json.loads(message)
                events = frame.get("events") or [{"version": (frame.get("game") or {}).get("version", 0)}]
                self.version = max(self.version, events[-1]["version"])
        self.has_closed = True

    async def close(self) -> None:
        await self.line.close()
        await self._reading
