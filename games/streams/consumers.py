"""The sockets of the lobby, of one player's notifications, and of addresses without a stream."""

from typing import Any

from games.rules.registry import RULESETS, SHEETS
from games.streams import frames, handshake
from games.streams.stream_consumer import CloseSocket, StreamConsumer


class LobbyConsumer(StreamConsumer):
    kind, operation = "lobby", "WS /ws/v1/lobby"
    is_ready = False

    async def opened(self, query: dict[str, str], **path: Any) -> None:  # noqa: ARG002
        self.ruleset, self.sheet = query.get("ruleset"), query.get("sheet")
        if self.ruleset not in (None, *RULESETS) or self.sheet not in (None, *SHEETS):
            raise CloseSocket(frames.MALFORMED)
        self.send_hello()
        async with self.registry.openings.turn(self.client):
            await self.registry.lobby.subscribe(self)

    def closed(self) -> None:
        self.registry.lobby.unsubscribe(self)


class PlayerConsumer(StreamConsumer):
    """One device of a player: `/ws/v1/me`."""

    kind, operation = "me", "WS /ws/v1/me"

    async def opened(self, query: dict[str, str], **path: Any) -> None:  # noqa: ARG002
        async with self.registry.openings.turn(self.client):
            games = await self.registry.players.subscribe(self.player, self)
            self.send_hello()  # every later notification is sent
            await self.registry.players.send_questions(self.player, self, games)

    def closed(self) -> None:
        self.registry.players.unsubscribe(self.player, self)


class NotFoundConsumer(StreamConsumer):
    """For addresses without a stream."""

    async def __call__(self, scope: handshake.Scope, receive: Any, send: Any) -> None:
        await receive()
        await send(handshake.accept(scope))
        await send({"type": "websocket.close", "code": frames.NOT_FOUND})
