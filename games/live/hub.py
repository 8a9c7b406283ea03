"""Publishes what was committed: to the subscribers of this process at once, to other processes through the bridge."""

import asyncio
import contextlib
import time
from contextlib import AbstractContextManager
from typing import Any

import msgspec

from games.game.aggregate import GameState
from games.game.events import Event
from games.live.bridge import DEFAULT_CHANNEL, Bridge
from games.live.messages import BridgeBatch, Outgoing, decode_events
from games.live.notifications import notices, shows_in_lobby
from games.live.subscribers import SpokenPhrase, Subscribers
from games.metrics import counters


class Hub:
    """One per process. All methods but `stop` return at once and run on the event loop of the process."""

    def __init__(self, redis_url: str, channel: str = DEFAULT_CHANNEL) -> None:
        self.subscribers = Subscribers()
        self.bridge = Bridge(redis_url, self._deliver, self.subscribers.report_gap, channel)

    def start(self) -> None:
        """For processes with subscribers; without it a hub only publishes."""
        self.bridge.start()

    async def stop(self) -> None:
        await self.bridge.stop()

    def watching(self, game_id: str) -> AbstractContextManager[asyncio.Event]:
        """An event that is set at every commit of the game, from any process."""
        return self.subscribers.watching(game_id)

    def publish(self, game: GameState, events: tuple[Event, ...]) -> None:
        """The engine calls it after each commit, before it answers the author of the command."""
        began = time.perf_counter()
        if self.subscribers.publish(game.id, events, game):
            counters.SENT_FROM_HERE.observe(time.perf_counter() - began)
        notifications: tuple[tuple[list[str], bytes], ...] = ()
        if self.subscribers.players or self.bridge.has_listeners:
            notifications = tuple([(players, msgspec.json.encode(data)) for players, data in notices(game, events)])
            for players, message in notifications:
                self.subscribers.deliver_notification(players, message)
        if changes_lobby := shows_in_lobby(game, events):
            self.subscribers.deliver_lobby_change(game.id)
        sent = () if _is_sealed(game, events) else events
        self.bridge.put(Outgoing(game.id, events[-1].version, sent, notifications, changes_lobby, time.time()))

    def notify_players(self, players: list[str], message: dict[str, Any]) -> None:
        """Send a notification to all open streams of these players, after the commit of what it reports."""
        encoded = msgspec.json.encode(message)
        self.subscribers.deliver_notification(players, encoded)
        self.bridge.put(Outgoing(notifications=((players, encoded),)))

    def send_phrase(self, phrase: SpokenPhrase) -> None:
        """Send a phrase to all sockets of its game, except those of players who muted the speaker."""
        self.subscribers.deliver_phrase(phrase)
        self.bridge.put(Outgoing(phrase=phrase))

    def _deliver(self, batch: BridgeBatch) -> None:
        """What another process published."""
        for game_id, at, version, encoded in batch.commits:
            if self.subscribers.has(game_id) and self._deliver_commit(game_id, version, encoded):
                counters.SENT_FROM_ELSEWHERE.observe(max(0.0, time.time() - at))
        for players, message in batch.notifications:
            self.subscribers.deliver_notification(players, message)
        for game_id in batch.lobby_changes:
            self.subscribers.deliver_lobby_change(game_id)
        for phrase in batch.phrases:
            self.subscribers.deliver_phrase(phrase)

    def _deliver_commit(self, game_id: str, version: int, encoded: msgspec.Raw) -> bool:
        """Whether its events were delivered at once; else the subscribers read them from the log."""
        with contextlib.suppress(msgspec.MsgspecError):  # of another version of the service
            if events := decode_events(encoded):
                return self.subscribers.publish(game_id, events)
        self.subscribers.announce(game_id, version)
        return False


def _is_sealed(game: GameState, events: tuple[Event, ...]) -> bool:
    """Whether one of these events, the last of the game, is an answer that only its author may see now."""
    return bool(game.sealed) and game.sealed[-1].version >= events[0].version
