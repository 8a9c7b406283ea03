"""Publishes what was committed: to the subscribers of this process at once, to other processes through the bridge."""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import msgspec

from games.game.aggregate import GameState
from games.game.events import Event
from games.live import topics
from games.live.bridge import DEFAULT_CHANNEL, Bridge
from games.live.messages import BridgeBatch, Outgoing, SpokenPhrase, decode_events
from games.live.notifications import notices, shows_in_lobby
from games.metrics import counters

NotificationHandler = Callable[[bytes], None]  # takes an encoded notification


class GameSubscriber(Protocol):
    """Receives the commits of one game."""

    def deliver_commit(self, events: tuple[Event, ...], game: GameState | None) -> None:
        """Take one commit. `game` is the state after it; None: of another process, with events known or missing."""

    def announce(self, version: int) -> None:
        """Another process has committed events up to this version, which have to be read from the log."""

    def deliver_phrase(self, phrase: SpokenPhrase) -> None: ...


class Hub:
    """One per process. All methods but `stop` return at once and run on the event loop of the process."""

    def __init__(self, redis_url: str, channel: str = DEFAULT_CHANNEL) -> None:
        self.games: dict[str, GameSubscriber] = {}  # by id: the `GameChannel` that `SocketRegistry` has made
        self.players: dict[str, set[NotificationHandler]] = defaultdict(set)
        self.lobby: list[Callable[[str], None]] = []  # called with the id of a public game whose summary changed
        self.after_gap: list[Callable[[], None]] = []  # called when messages of other processes may have been missed
        self.bridge = Bridge(redis_url, self._deliver, self._report_gap, channel)
        self._watchers: dict[str, set[asyncio.Event]] = defaultdict(set)

    def start(self) -> None:
        """For processes with subscribers; without it a hub only publishes."""
        self.bridge.start()

    async def stop(self) -> None:
        await self.bridge.stop()

    def follow_game(self, game_id: str, subscriber: GameSubscriber) -> None:
        """Deliver the commits of a game until `unfollow_game`. Await `hears_game` before the game is read."""
        self.games[game_id] = subscriber
        self.bridge.subscription.follow(topics.of_game(game_id))

    def unfollow_game(self, game_id: str) -> None:
        del self.games[game_id]
        self.bridge.subscription.unfollow(topics.of_game(game_id))

    async def hears_game(self, game_id: str) -> None:
        """Return when commits of other processes arrive, or when Redis does not answer in time."""
        await self.bridge.subscription.ready(topics.of_game(game_id))

    def follow(self, topic: str) -> None:
        """Receive what other processes publish for a player or the lobby. Await `hears` before anything is read."""
        self.bridge.subscription.follow(topic)

    def unfollow(self, topic: str) -> None:
        self.bridge.subscription.unfollow(topic)

    async def hears(self, topic: str) -> None:
        await self.bridge.subscription.ready(topic)

    @contextlib.contextmanager
    def watching(self, game_id: str) -> Iterator[asyncio.Event]:
        """An event that is set at every commit of the game, from any process; clear it before reading the log, and
        await `hears_game` before the first read."""
        changed = asyncio.Event()
        self._watchers[game_id].add(changed)
        self.bridge.subscription.follow(topics.of_game(game_id))
        try:
            yield changed
        finally:
            self.bridge.subscription.unfollow(topics.of_game(game_id))
            self._watchers[game_id].discard(changed)
            if not self._watchers[game_id]:
                del self._watchers[game_id]

    def publish(self, game: GameState, events: tuple[Event, ...]) -> None:
        """The engine calls it after each commit, before it answers the author of the command."""
        began = time.perf_counter()
        self._wake_watchers(game.id)
        if channel := self.games.get(game.id):
            channel.deliver_commit(events, game)
            counters.SENT_FROM_HERE.observe(time.perf_counter() - began)
        notifications: tuple[tuple[list[str], bytes], ...] = ()
        if self.players or self.bridge.has_listeners:
            notifications = tuple([(players, msgspec.json.encode(data)) for players, data in notices(game, events)])
            for players, message in notifications:
                self._deliver_notification(players, message)
        if changes_lobby := shows_in_lobby(game, events):
            self._deliver_lobby_change(game.id)
        sent = () if _is_sealed(game, events) else events
        self.bridge.put(Outgoing(game.id, events[-1].version, sent, notifications, changes_lobby, time.time()))

    def notify_players(self, players: list[str], message: dict[str, Any]) -> None:
        """Send a notification to all open streams of these players, after the commit of what it reports."""
        encoded = msgspec.json.encode(message)
        self._deliver_notification(players, encoded)
        self.bridge.put(Outgoing(notifications=((players, encoded),)))

    def send_phrase(self, phrase: SpokenPhrase) -> None:
        """Send a phrase to all sockets of its game, except those of players who muted the speaker."""
        self._deliver_phrase(phrase)
        self.bridge.put(Outgoing(phrase=phrase))

    def _deliver(self, batch: BridgeBatch) -> None:
        """What another process published."""
        for game_id, at, version, encoded in batch.commits:
            self._wake_watchers(game_id)
            if (channel := self.games.get(game_id)) is not None:
                _deliver_foreign_commit(channel, at, version, encoded)
        for players, message in batch.notifications:
            self._deliver_notification(players, message)
        for game_id in batch.lobby_changes:
            self._deliver_lobby_change(game_id)
        for phrase in batch.phrases:
            self._deliver_phrase(phrase)

    def _wake_watchers(self, game_id: str) -> None:
        for changed in self._watchers.get(game_id, ()):
            changed.set()

    def _deliver_notification(self, players: Iterable[str], message: bytes) -> None:
        for player in players:
            for handler in tuple(self.players.get(player, ())):
                handler(message)

    def _deliver_lobby_change(self, game_id: str) -> None:
        for handler in self.lobby:
            handler(game_id)

    def _deliver_phrase(self, phrase: SpokenPhrase) -> None:
        if (channel := self.games.get(phrase.game)) is not None:
            channel.deliver_phrase(phrase)

    def _report_gap(self) -> None:
        """Messages may have been missed: every subscriber reads from the database what it lacks."""
        for game_id in self._watchers:
            self._wake_watchers(game_id)
        for handler in self.after_gap:
            handler()


def _deliver_foreign_commit(channel: GameSubscriber, at: float, version: int, encoded: msgspec.Raw) -> None:
    """A commit of another process, `at` a Unix time; without its events the channel reads the log."""
    with contextlib.suppress(msgspec.MsgspecError):  # of another version of the service
        if events := decode_events(encoded):
            channel.deliver_commit(events, None)
            return counters.SENT_FROM_ELSEWHERE.observe(max(0.0, time.time() - at))
    return channel.announce(version)


def _is_sealed(game: GameState, events: tuple[Event, ...]) -> bool:
    """Whether one of these events, the last of the game, is an answer that only its author may see now."""
    return bool(game.sealed) and game.sealed[-1].version >= events[0].version
