"""Players who note what was acknowledged: they retry on the other web process under the same key, as an app would."""

import asyncio
import random
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from tests.api.client import Json

ATTEMPT_S = 1.5  # for one attempt; then the other process is asked
PAUSE_S = 0.05
GIVE_UP_S = 90.0
TRANSIENT = frozenset({502, 503, 504})


class Acknowledged(NamedTuple):
    """One action that a process answered with success, and the versions of the events that it appended."""

    game: str
    key: str
    versions: tuple[int, ...]


class Wait(NamedTuple):
    """A call from its first attempt to its answer, in seconds of the monotonic clock."""

    began: float
    ended: float
    what: str


@dataclass
class Ledger:
    acknowledged: list[Acknowledged] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    games: set[str] = field(default_factory=set)
    odd: list[str] = field(default_factory=list)  # answers that no client should get


class RetryingDevice:
    """One device. It goes on with the process that answered last."""

    def __init__(self, addresses: list[str], ledger: Ledger, luck: random.Random) -> None:
        self.addresses, self.ledger, self.luck = addresses, ledger, luck
        self._preferred = luck.randrange(len(addresses))
        self._http = [httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=ATTEMPT_S) for address in addresses]
        self.token = ""

    async def close(self) -> None:
        for http in self._http:
            await http.aclose()

    async def arrive(self) -> None:
        answer = await self.call("POST", "/players/guests", {}, key=secrets.token_hex(16))
        self.token = answer.json()["token"]

    async def call(self, method: str, path: str, body: Any = None, key: str | None = None) -> httpx.Response:
        """Try until a process answers; every attempt has the same key."""
        began = time.monotonic()
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        while True:
            try:
                http = self._http[self._preferred]
                answer = await http.request(method, path, json=body, headers=headers)
                if answer.status_code not in TRANSIENT:
                    self.ledger.waits.append(Wait(began, time.monotonic(), f"{method} {path}"))
                    if answer.status_code >= 500 or answer.status_code == 429:
                        self.ledger.odd.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
                    return answer
            except httpx.HTTPError:
                pass
            self._preferred = (self._preferred + 1) % len(self._http)
            assert time.monotonic() - began < GIVE_UP_S, f"{method} {path} was not answered"
            await asyncio.sleep(PAUSE_S)

    async def act(self, game: str, option: Json) -> None:
        key = secrets.token_hex(8)
        answer = await self.call("POST", f"/games/{game}/actions", option, key)
        if answer.status_code == 200:
            versions = tuple(event["version"] for event in answer.json()["events"])
            self.ledger.acknowledged.append(Acknowledged(game, key, versions))
        elif answer.status_code not in (409, 422, 429):
            self.ledger.odd.append(f"action: {answer.status_code} {answer.text[:200]}")

    async def view(self, game: str) -> Json:
        view: Json = (await self.call("GET", f"/games/{game}")).json()
        return view


class Table:
    """Two people who play one game after the other."""

    settings: Json = {"ruleset": "qwixx", "rated": True, "clock": {"roll_s": 20, "answer_s": 45}}
    people = 2

    def __init__(self, addresses: list[str], ledger: Ledger, seed: int) -> None:
        self.luck, self.ledger = random.Random(seed), ledger
        self.clients = [RetryingDevice(addresses, ledger, self.luck) for _ in range(self.people)]
        self.game = ""

    async def run(self, ending: asyncio.Event) -> None:
        for client in self.clients:
            await client.arrive()
        while not ending.is_set():
            await self._open()
            goes_on = True
            while goes_on and not ending.is_set():
                goes_on = await self._round()

    async def _open(self) -> None:
        created = await self.clients[0].call("POST", "/games", self.settings, secrets.token_hex(8))
        assert created.status_code == 201, created.text
        self.game = created.json()["id"]
        self.ledger.games.add(self.game)
        for client in self.clients[1:]:
            await client.call("POST", f"/games/{self.game}/join", {}, secrets.token_hex(8))

    async def _round(self) -> bool:
        """One look and one action of each player; whether the game goes on."""
        for client in self.clients:
            view = await client.view(self.game)
            if view.get("status") not in ("open", "playing"):
                return False
            if options := view["options"]:
                marks = [option for option in options if option["type"] == "mark"]
                await client.act(self.game, self.luck.choice(marks or options))
        return True


class BotTable(Table):
    """One person against a bot."""

    settings = {"ruleset": "qwinto", "bots": ["easy"], "clock": {"roll_s": 20, "answer_s": 45}}
    people = 1


class AbsentTable(Table):
    """Two people who never act: every phase ends by its deadline."""

    settings = {"ruleset": "qwixx", "clock": {"roll_s": 5, "answer_s": 5}}

    async def _round(self) -> bool:
        """Not even a look, by which a process would enforce the deadline."""
        await asyncio.sleep(20.0)
        return (await self.clients[0].view(self.game)).get("status") == "playing"
