"""Sockets that follow games through every fault, and compare their copy with what a fetch gives."""

import asyncio
import contextlib
import time

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.api.client import Json
from tests.chaos.players import Table

SILENCE_S = 17.0  # a heartbeat comes every 15 s
OPENING_S = 2.0


class TableFollower:
    """Follows the game of a table that is played now, and each game to its end."""

    def __init__(self, table: Table, addresses: list[str]) -> None:
        self.table, self.addresses = table, addresses
        self.copies: dict[str, list[Json]] = {}
        self.resumes = 0

    async def run(self) -> None:
        """Until cancelled."""
        turn = 0
        while True:
            game = self.table.game
            if not game:
                await asyncio.sleep(0.1)
                continue
            turn += 1
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                await self._follow(game, self.addresses[turn % len(self.addresses)])
            self.resumes += 1
            await asyncio.sleep(0.05)

    async def _follow(self, game: str, address: str) -> None:
        copy = self.copies.setdefault(game, [])
        after = copy[-1]["version"] if copy else 0
        url = f"{address.replace('http', 'ws', 1)}/ws/v1/games/{game}?after={after}"
        headers = {"Authorization": f"Bearer {self.table.clients[0].token}"}
        options = {"additional_headers": headers, "subprotocols": ["qx.v1"], "proxy": None, "open_timeout": OPENING_S}
        async with connect(url, close_timeout=0.5, **options) as socket:  # type: ignore[arg-type]
            heard_at = time.monotonic()
            while self.table.game == game and time.monotonic() - heard_at < SILENCE_S:
                with contextlib.suppress(TimeoutError):
                    frame = msgspec.json.decode(await asyncio.wait_for(socket.recv(), 1.0))
                    heard_at = time.monotonic()
                    if frame["type"] == "update":
                        self._take(copy, frame["events"])

    @staticmethod
    def _take(copy: list[Json], events: list[Json]) -> None:
        for event in events:
            expected = copy[-1]["version"] + 1 if copy else 1
            assert event["version"] == expected, f"version {event['version']} came in place of {expected}"
            copy.append(event)

    async def differences(self) -> list[str]:
        """What differs from a fetch; the copy may end earlier, where the follower went on to the next game."""
        found = []
        for game, copy in self.copies.items():
            fetched: list[Json] = []
            while page := await self._page(game, len(fetched)):
                fetched += page
            seen = [(event["version"], event["type"], event["hash"]) for event in copy]
            stored = [(event["version"], event["type"], event["hash"]) for event in fetched]
            if seen != stored[: len(seen)]:
                found.append(f"game {game}: the copy of a stream differs")
            if game == self.table.game and len(seen) < len(stored):
                found.append(f"game {game}: the copy ends at {len(seen)}, the log at {len(stored)}")
        return found

    async def _page(self, game: str, after: int) -> list[Json]:
        answer = await self.table.clients[0].call("GET", f"/games/{game}/events?after={after}&limit=1000")
        page: list[Json] = answer.json()["results"]
        return page
