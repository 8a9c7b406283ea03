"""A client that plays a whole game over a bad network: it connects again and resumes for as long as the game lasts."""

import asyncio
import random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from tests.api.client import Json

BACK_OFF_S = 0.05


class Phone:
    """Knows no rule: it picks one of its options. What it sends without being answered it sends again, under its id."""

    def __init__(self, address: str, game: str, token: str, seed: str) -> None:
        self.url = f"{address.replace('http', 'ws', 1)}/ws/v1/games/{game}"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.luck = random.Random(seed)
        self.events: list[Json] = []
        self.connections = 0
        self.acks: dict[str, int] = {}
        self.pending: Json | None = None
        self.view: Json = {"options": []}
        self.number = 0
        self.is_over = asyncio.Event()
        self.changed = asyncio.Condition()

    async def has(self, versions: int) -> None:
        async with self.changed:
            await self.changed.wait_for(lambda: len(self.events) >= versions)

    async def play(self) -> None:
        while not self.is_over.is_set():
            try:
                async with connect(
                    f"{self.url}?after={len(self.events)}",
                    additional_headers=self.headers,
                    subprotocols=["qx.v1"],  # type: ignore[list-item]
                    proxy=None,
                    close_timeout=1,
                ) as line:
                    self.connections += 1
                    await self._follow(line)
            except (OSError, WebSocketException, InvalidHandshake, EOFError, TimeoutError):
                await asyncio.sleep(BACK_OFF_S)

    async def _follow(self, line: ClientConnection) -> None:
        if self.pending is not None:
            await line.send(msgspec.json.encode(self.pending).decode())
        async for message in line:
            await self._heard(line, msgspec.json.decode(message))
            if self.is_over.is_set():
                return

    async def _heard(self, line: ClientConnection, frame: Json) -> None:
        match frame["type"]:
            case "update":
                await self._take(frame)
                await self._answer(line)
            case "ack" | "error" if self.pending and frame["id"] == self.pending["id"]:
                assert frame["type"] == "ack" or frame["code"] in ("stale_roll", "wrong_phase", "unavailable"), frame
                self._acked(frame)
                await self._answer(line)  # the update with the next options came before the ack

    async def _take(self, update: Json) -> None:
        for event in update["events"]:
            self._keep(event)
        if update["options"] is not None:  # null in all portions of a resume but the last
            self.view = update
        async with self.changed:
            self.changed.notify_all()

    def _keep(self, event: Json) -> None:
        assert event["version"] == len(self.events) + 1, "each version exactly once, in order"
        self.events.append(event)
        if event["type"] in ("game_ended", "game_aborted"):
            self.is_over.set()

    def _acked(self, frame: Json) -> None:
        if frame["type"] == "ack":
            self.acks[frame["id"]] = frame["version"]
        self.pending = None

    async def _answer(self, line: ClientConnection) -> None:
        view = self.view
        if not view["options"] or view["your_answer"] is not None or self.pending is not None:
            return
        self.number += 1
        action: Any = self.luck.choice(view["options"])
        self.pending = {"type": "action", "id": f"move-{self.number}", "action": action}
        await line.send(msgspec.json.encode(self.pending).decode())
