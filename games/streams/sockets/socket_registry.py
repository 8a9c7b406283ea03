"""All sockets of this process by session: heartbeats, revocation, and a check for messages that were missed."""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from typing import Protocol
from uuid import UUID

from games import runtime
from games.engine.engine import Engine
from games.live.hub import Hub
from games.metrics import counters
from games.streams.channels.game_channel import GameChannel
from games.streams.channels.lobby_channel import LobbyChannel
from games.streams.channels.player_channels import PlayerChannels
from games.streams.frames import HEARTBEAT_S, NOT_ALLOWED, NOT_AUTHENTICATED
from games.streams.sockets.periodic_check import PeriodicCheck
from players.database.background import BackgroundTasks
from players.limits.budgets import SOCKET_OPENINGS
from players.limits.fair_queue import FairQueue
from players.sessions.directory import directory

CHECK_EVERY_S = 5.0

logger = logging.getLogger(__name__)


class RegisteredSocket(Protocol):
    kind: str
    session: UUID
    expires_at: datetime | None

    def send_heartbeat(self) -> None: ...

    def close_if_stalled(self) -> None: ...

    def end(self, code: int) -> None: ...


class SocketRegistry:
    def __init__(self, engine: Engine, hub: Hub) -> None:
        self.engine, self._hub = engine, hub
        self._games: dict[UUID, GameChannel] = {}
        self.lobby = LobbyChannel(hub)
        self.openings = FairQueue("sockets", SOCKET_OPENINGS)  # of sockets whose first frames need long queries
        self.players = PlayerChannels(engine, hub)
        self._sockets: dict[UUID, set[RegisteredSocket]] = defaultdict(set)
        self._check = PeriodicCheck(CHECK_EVERY_S, self._check_all)
        self._background = BackgroundTasks()
        self._loops: list[asyncio.Task[None]] = []  # run while there are sockets
        hub.after_gap.append(self._check.request)

    @contextlib.contextmanager
    def registered(self, socket: RegisteredSocket) -> Iterator[None]:
        """Within the block the socket is counted, gets heartbeats, and is closed when its session is revoked."""
        if not self._sockets:
            self._start()
        self._sockets[socket.session].add(socket)
        counters.SOCKETS.labels(socket.kind).inc()
        try:
            with directory.holding(socket.session, until=socket.expires_at):
                yield
        finally:
            counters.SOCKETS.labels(socket.kind).dec()
            self._sockets[socket.session].discard(socket)
            if not self._sockets[socket.session]:
                del self._sockets[socket.session]
            if not self._sockets:
                self._stop()

    def game_channel(self, game_id: UUID) -> GameChannel:
        """The channel of a game; it exists while it has sockets."""
        channel = self._games.get(game_id)
        if channel is None:
            channel = self._games[game_id] = GameChannel(self.engine, game_id)
            self._hub.follow_game(str(game_id), channel)
        return channel

    async def hears(self, channel: GameChannel) -> None:
        """Return when commits of other processes reach the channel."""
        await self._hub.hears_game(str(channel.game_id))

    def drop_if_empty(self, channel: GameChannel) -> None:
        if channel.is_empty and self._games.get(channel.game_id) is channel:
            del self._games[channel.game_id]
            self._hub.unfollow_game(str(channel.game_id))

    def _start(self) -> None:
        directory.revocation_listeners.append(self._revoked)
        directory.ban_listeners.append(self._banned)
        self._loops = [
            self._background.start("socket heartbeats", self._send_heartbeats),
            self._background.start("check for missed messages", self._check.run),
        ]

    def _stop(self) -> None:
        directory.revocation_listeners.remove(self._revoked)
        directory.ban_listeners.remove(self._banned)
        for loop in self._loops:
            loop.cancel()

    def _revoked(self, session: UUID) -> None:
        for socket in tuple(self._sockets.get(session, ())):
            socket.end(NOT_AUTHENTICATED)

    def _banned(self, session: UUID) -> None:
        for socket in tuple(self._sockets.get(session, ())):
            socket.end(NOT_ALLOWED)

    def _all(self) -> list[RegisteredSocket]:
        return [socket for sockets in self._sockets.values() for socket in sockets]

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            for socket in self._all():
                socket.send_heartbeat()

    async def _check_all(self) -> None:
        """One query asks where the logs of all followed games end: what Redis lost is found by it."""
        for socket in self._all():
            socket.close_if_stalled()
        try:
            for game_id, version in (await self.engine.versions(list(self._games))).items():
                if channel := self._games.get(game_id):
                    channel.reach_soon(version)
            await self.lobby.check()
            await self.players.check()
        except Exception as error:  # noqa: BLE001  (the next check tries again)
            logger.warning("missed messages could not be looked for: %s", error)


_registries: list[SocketRegistry] = []


async def registry() -> SocketRegistry:
    """The registry of this process; a new one after the engine was replaced."""
    engine, hub = await runtime.engine(), await runtime.hub()
    if not _registries or _registries[0].engine is not engine:
        _registries[:] = [SocketRegistry(engine, hub)]
    return _registries[0]
