"""A client of streams as an app would write it: it keeps every frame, which the document must know, and its own copy of
the log."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.api.client import Json, Player
from tests.api.documented import check_frame

TIMEOUT_S = 20


class Socket:
    """One connection. Frames are kept in order; a test waits for a frame among those received."""

    def __init__(self, line: ClientConnection, path: str) -> None:
        self.line, self.path = line, path
        self.frames: list[Json] = []
        self.close_code: int | None = None
        self._changed = asyncio.Condition()
        self._seen = 0
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, address: str, path: str, token: str | None = None, **options: Any) -> Self:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= options.pop("headers", {})
        options.setdefault("subprotocols", ["qx.v1"])
        url = address.replace("http", "ws", 1) + path
        line = await connect(url, additional_headers=headers, open_timeout=TIMEOUT_S, proxy=None, **options)
        return cls(line, path)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self.line.close()
        await self._reading

    async def _read(self) -> None:
        try:
            async for message in self.line:
                await self._keep(msgspec.json.decode(message))
        except (ConnectionClosed, OSError):
            pass
        self.close_code = self.line.close_code or 1006
        async with self._changed:
            self._changed.notify_all()

    async def _keep(self, frame: Json) -> None:
        check_frame(self.path, frame)
        async with self._changed:
            self.frames.append(frame)
            self._changed.notify_all()

    async def send(self, **frame: Any) -> None:
        await self.line.send(msgspec.json.encode(frame).decode())

    async def until(self, wanted: Callable[[Json], bool]) -> Json:
        """The next frame that is wanted, passing over others."""

        def found() -> Json | None:
            while self._seen < len(self.frames):
                self._seen += 1
                if wanted(self.frames[self._seen - 1]):
                    return self.frames[self._seen - 1]
            return None

        async with asyncio.timeout(TIMEOUT_S), self._changed:
            while (frame := found()) is None:
                assert self.close_code is None, f"closed with {self.close_code} after {self.frames[-3:]}"
                await self._changed.wait()
            return frame

    async def next(self, kind: str) -> Json:
        return await self.until(lambda frame: frame["type"] == kind)

    async def until_settled(self) -> None:
        """Let in, which a first frame shows, or turned away."""
        async with asyncio.timeout(TIMEOUT_S), self._changed:
            await self._changed.wait_for(lambda: bool(self.frames) or self.close_code is not None)

    async def closed(self) -> int:
        async with asyncio.timeout(TIMEOUT_S):
            await self._reading
        assert self.close_code is not None
        return self.close_code

    async def act(self, key: str, action: Json) -> Json:
        """What became of a command."""
        await self.send(type="action", id=key, action=action)
        return await self.until(lambda frame: frame.get("id") == key)

    async def ponged(self) -> None:
        """All that was sent before has been dealt with."""
        await self.send(type="ping")
        await self.next("heartbeat")

    async def at_version(self, version: int) -> None:
        """Whether it came already or is still to come."""
        async with asyncio.timeout(TIMEOUT_S), self._changed:
            await self._changed.wait_for(lambda: version in self.versions or self.close_code is not None)
        assert version in self.versions, f"closed with {self.close_code}"

    async def has(self, frames: list[Json]) -> None:
        """All of these, whether they came already or are still to come."""
        async with asyncio.timeout(TIMEOUT_S), self._changed:
            await self._changed.wait_for(lambda: all(frame in self.frames for frame in frames))

    @property
    def updates(self) -> list[Json]:
        return [frame for frame in self.frames if frame["type"] == "update"]

    @property
    def events(self) -> list[Json]:
        return [event for update in self.updates for event in update["events"]]

    @property
    def versions(self) -> list[int]:
        return [event["version"] for event in self.events]


async def watch(player: Player, game: Json, address: str | None = None, **options: Any) -> Socket:
    """A player's socket on a game; `after` and `view` go into the address."""
    wanted = {"after": options.pop("after", None), "view": options.pop("view", None)}
    query = urlencode({name: value for name, value in wanted.items() if value is not None})
    base = address or str(player.http.base_url).split("/api/")[0]
    return await Socket.open(base, f"/ws/v1/games/{game['id']}?{query}", player.token, **options)
