"""Two players who play a game of their own while an attack runs, and the time that each of their calls takes."""

import json
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

CALL_TIMEOUT_S = 30.0
FAILED = 0  # in place of a status
PAUSE_S = 0.02  # between rounds of calls
LOBBY, LOBBY_EVERY_S = "/ws/v1/lobby", 0.3  # within the limit of handshakes


class Call(NamedTuple):
    seconds: float
    path: str
    status: int


class Measurements(NamedTuple):
    calls: list[Call]
    memory: int  # the most bytes that the web process had
    memory_after: int

    @property
    def slowest(self) -> Call:
        return max(self.calls)

    @property
    def statuses(self) -> set[int]:
        return {call.status for call in self.calls}


class Victim:
    """Calls from a thread of its own, so that the work of the attacker is not taken for a delay of the service."""

    def __init__(self, address: str, pid: int) -> None:
        self._pid = pid
        self._clients = [httpx.Client(base_url=address, timeout=CALL_TIMEOUT_S) for _ in range(2)]
        for client in self._clients:
            guest = client.post("/api/v1/players/guests", json={"name": "Ann"})
            assert guest.is_success, guest.text
            client.headers["Authorization"] = f"Bearer {guest.json()['token']}"
        self._lobby, self._opened_at = address.replace("http", "ws", 1) + LOBBY, 0.0
        self._token = {"Authorization": self._clients[0].headers["Authorization"]}
        self.games: list[str] = []
        self._view: Any = None
        self.new_game()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            client.close()

    def memory(self) -> int:
        """Resident bytes of the web process, where the system tells them."""
        path = Path(f"/proc/{self._pid}/status")
        lines = path.read_text().splitlines() if path.exists() else []
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))

    def new_game(self) -> None:
        """Without a clock: a service that is stopped for a while must not make an action late."""
        settings = {"ruleset": "qwixx", "visibility": "private", "clock": None}
        game = self._clients[0].post("/api/v1/games", json=settings).raise_for_status().json()
        self.games.append(game["id"])
        joined = self._clients[1].post("/api/v1/games/join", json={"code": game["code"]})
        self._view = joined.raise_for_status().json()

    def measure(self, first_round: threading.Event, stop: threading.Event) -> Measurements:
        """Rounds of calls until the attack is over, and one after it."""
        calls, memory = self._round(), self.memory()
        first_round.set()
        is_over = False
        while not is_over:
            is_over = stop.is_set()
            calls += self._round()
            memory = max(memory, self.memory())
            stop.wait(PAUSE_S)
        return Measurements(calls, memory, self.memory())

    def _round(self) -> list[Call]:
        """An action, the health of the process, a call that Django serves, and now and then a socket."""
        calls = [self._act(), self._timed("GET", "/healthz"), self._timed("GET", "/api/v1/players/me")]
        if time.monotonic() - self._opened_at > LOBBY_EVERY_S:
            calls.append(self._open_lobby())
        return calls

    def _open_lobby(self) -> Call:
        """A new socket of the lobby, until it has its list of games."""
        self._opened_at, began = time.monotonic(), time.perf_counter()
        try:
            with connect(self._lobby, additional_headers=self._token, open_timeout=CALL_TIMEOUT_S) as line:
                frames = [json.loads(line.recv(CALL_TIMEOUT_S))["type"] for _ in range(2)]
        except (OSError, TimeoutError, WebSocketException):
            frames = []
        return Call(time.perf_counter() - began, LOBBY, 200 if frames == ["hello", "games"] else FAILED)

    def _act(self) -> Call:
        if self._view is None or self._view["turn"] is None:  # the last action failed, or the last game is over
            try:
                self.new_game()
            except httpx.HTTPError:
                return Call(0.0, "/api/v1/games", FAILED)
        turn = self._view["turn"]
        action = {"type": "roll" if turn["phase"] == "roll" else "pass"}
        path = f"/api/v1/games/{self._view['id']}/actions"
        return self._timed("POST", path, turn["waiting_for"][0], json=action)

    def _timed(self, method: str, path: str, seat: int = 0, **options: Any) -> Call:
        began = time.perf_counter()
        try:
            response = self._clients[seat].request(method, path, **options)
        except httpx.TransportError:
            self._view = None if method == "POST" else self._view
            return Call(time.perf_counter() - began, path, FAILED)
        call = Call(time.perf_counter() - began, path, response.status_code)
        if method == "POST":
            self._view = response.json()["game"] if response.is_success else None
        return call
