"""The subscribers of this process to games, notifications and the lobby; delivers to them without waiting."""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import msgspec

from games.game.aggregate import GameState
from games.game.events import Event

NotificationHandler = Callable[[bytes], None]  # takes an encoded notification


class SpokenPhrase(msgspec.Struct, array_like=True):
    """A phrase that a seat said, and the players who muted that seat. It is in no log: absent players miss it."""

    game: str
    seat: int
    key: str
    muted_by: list[str]


class GameSubscriber(Protocol):
    """Receives the commits of one game."""

    def publish(self, events: tuple[Event, ...], game: GameState | None) -> None:
        """Take one commit. `game` is the state after it; None: of another process, with events known or missing."""

    def announce(self, version: int) -> None:
        """Another process has committed events up to this version, which have to be read from the log."""

    def deliver_phrase(self, phrase: SpokenPhrase) -> None: ...


class Subscribers:
    """Every method runs on the event loop of the process and returns at once."""

    def __init__(self) -> None:
        self.games: dict[str, GameSubscriber] = {}
        self.players: dict[str, set[NotificationHandler]] = defaultdict(set)
        self.lobby: list[Callable[[str], None]] = []  # called with the id of a public game whose summary changed
        self.after_gap: list[Callable[[], None]] = []  # called when messages of other processes may have been missed
        self._watchers: dict[str, set[asyncio.Event]] = defaultdict(set)

    @contextlib.contextmanager
    def watching(self, game_id: str) -> Iterator[asyncio.Event]:
        """An event that is set at every commit of the game; a reader clears it before it reads the log."""
        changed = asyncio.Event()
        self._watchers[game_id].add(changed)
        try:
            yield changed
        finally:
            self._watchers[game_id].discard(changed)
            if not self._watchers[game_id]:
                del self._watchers[game_id]

    def has(self, game_id: str) -> bool:
        """Whether anything here follows the game."""
        return game_id in self.games or game_id in self._watchers

    def publish(self, game_id: str, events: tuple[Event, ...], game: GameState | None = None) -> bool:
        """Deliver one commit of a game; whether the game has a subscriber here."""
        self._wake_watchers(game_id)
        subscriber = self.games.get(game_id)
        if subscriber is not None:
            subscriber.publish(events, game)
        return subscriber is not None

    def announce(self, game_id: str, version: int) -> None:
        """Deliver the version of a commit whose events are only in the log."""
        self._wake_watchers(game_id)
        if (subscriber := self.games.get(game_id)) is not None:
            subscriber.announce(version)

    def _wake_watchers(self, game_id: str) -> None:
        for changed in self._watchers.get(game_id, ()):
            changed.set()

    def deliver_notification(self, players: Iterable[str], message: bytes) -> None:
        for player in players:
            for handler in tuple(self.players.get(player, ())):
                handler(message)

    def deliver_lobby_change(self, game_id: str) -> None:
        for handler in self.lobby:
            handler(game_id)

    def deliver_phrase(self, phrase: SpokenPhrase) -> None:
        if (subscriber := self.games.get(phrase.game)) is not None:
            subscriber.deliver_phrase(phrase)

    def report_gap(self) -> None:
        """Messages may have been missed: every subscriber reads from the database what it lacks."""
        for watchers in self._watchers.values():
            for changed in watchers:
                changed.set()
        for handler in self.after_gap:
            handler()
