"""The sockets of this process on players' notifications: each is sent once, also if its message was lost."""

from collections import defaultdict
from typing import Any, NamedTuple, Protocol
from uuid import UUID

import msgspec

from games import clock
from games.engine.engine import Engine
from games.game.aggregate import PLAYING
from games.game.views import seat_of
from games.live import notifications, topics
from games.live.hub import Hub
from games.log.reads.in_thread import read_in_thread
from games.log.store import GameInProgress
from games.matchmaking import tickets
from games.streams.channels import missed_notifications

MOST_QUESTIONS = 100  # that a new socket is sent: a player may have thousands of games, and each has to be read

GamesInProgress = dict[str, GameInProgress]


class PlayerSocket(Protocol):
    def write(self, text: str) -> None: ...


class AskedQuestion(NamedTuple):
    """The question of a game that a player was notified of."""

    number: int
    roll: int
    phase: str | None


class NotifiedTurn(msgspec.Struct):
    number: int
    roll: int
    phase: str | None


class Notification(msgspec.Struct):
    """The members of a notification that tell whether it was sent before."""

    type: str
    game: Any = ""
    turn: NotifiedTurn | None = None
    ticket: str = ""
    invitation: str = ""

    @property
    def subject(self) -> tuple[str, str]:
        return self.type, self.ticket or self.invitation or self.game


_read = msgspec.json.Decoder(Notification).decode


class PlayerChannel:
    """The sockets of one player, and what was sent to them."""

    def __init__(self) -> None:
        self.sockets: set[PlayerSocket] = set()
        self.playing: set[str] = set()
        self.checked: dict[str, int] = {}  # the version of each game at which its question was looked for
        self._asked: dict[str, AskedQuestion] = {}
        self._sent: set[tuple[str, str]] = set()

    def has_checked(self, games: GamesInProgress) -> None:
        self.checked = {game_id: game.version for game_id, game in games.items()}

    def publish(self, message: bytes) -> None:
        if self.remember(message):
            text = message.decode()
            for socket in tuple(self.sockets):
                socket.write(text)

    def remember(self, message: bytes) -> bool:
        """Whether it is new: what was found in the database first is not sent again when its message arrives."""
        notification = _read(message)
        if notification.type == "game_started":
            is_new = notification.game not in self.playing
            self.playing.add(notification.game)
            return is_new
        if notification.type == "your_turn" and notification.turn is not None:
            turn = notification.turn
            asked = AskedQuestion(turn.number, turn.roll, turn.phase)
            is_new = self._asked.get(notification.game) != asked
            self._asked[notification.game] = asked
            return is_new
        if notification.type in missed_notifications.TYPES:
            is_new = notification.subject not in self._sent
            self._sent.add(notification.subject)
            return is_new
        return True


class PlayerChannels:
    def __init__(self, engine: Engine, hub: Hub) -> None:
        self._engine, self._hub = engine, hub
        self._channels: dict[str, PlayerChannel] = defaultdict(PlayerChannel)
        self._followers: dict[str, set[PlayerSocket]] = defaultdict(set)  # sockets, also those that are being opened

    async def subscribe(self, player: str, socket: PlayerSocket) -> GamesInProgress:
        """The games in progress. What happened before counts as sent."""
        self._follow(player, socket)
        await self._hub.hears(topics.of_player(player))
        old = await read_in_thread(missed_notifications.recent, [UUID(player)], clock.now())
        games = (await self._games([player])).get(player, {})
        channel = self._channels[player]
        if not channel.sockets:
            channel.playing.update(games)
            channel.has_checked(games)
            for _, known in old:
                channel.remember(known)
        channel.sockets.add(socket)
        self._hub.players[player].add(channel.publish)
        return games

    async def send_questions(self, player: str, socket: PlayerSocket, games: GamesInProgress) -> None:
        """The questions that already wait for the player, of the newest games."""
        waiting = sorted(game_id for game_id, game in games.items() if game.is_waiting)
        for game_id in waiting[-MOST_QUESTIONS:]:
            if (message := await self._question(player, game_id)) is not None:
                self._channels[player].remember(message)
                socket.write(message.decode())

    def _follow(self, player: str, socket: PlayerSocket) -> None:
        """Before the first wait: the messages of other processes are needed while any socket of the player opens."""
        if not self._followers[player]:
            self._hub.follow(topics.of_player(player))
        self._followers[player].add(socket)

    def unsubscribe(self, player: str, socket: PlayerSocket) -> None:
        if socket in self._followers[player]:
            self._followers[player].remove(socket)
            if not self._followers[player]:
                self._hub.unfollow(topics.of_player(player))
        if not self._followers[player]:
            del self._followers[player]
        channel = self._channels[player]
        channel.sockets.discard(socket)
        if not channel.sockets:
            del self._channels[player]
            self._hub.players[player].discard(channel.publish)
            if not self._hub.players[player]:
                del self._hub.players[player]

    async def check(self) -> None:
        """Send notifications whose messages were missed."""
        if not self._channels:
            return
        await read_in_thread(tickets.mark_present, self._players(), clock.now())
        await self._check_games()
        for player, message in await read_in_thread(missed_notifications.recent, self._players(), clock.now()):
            if (channel := self._channels.get(player)) is not None:
                channel.publish(message)

    def _players(self) -> list[UUID]:
        return [UUID(player) for player in self._channels]

    async def _check_games(self) -> None:
        for player, games in (await self._games(list(self._channels))).items():
            for game_id, game in games.items():
                if (channel := self._channels.get(player)) is None:
                    break
                if game_id not in channel.playing:
                    channel.publish(msgspec.json.encode({"type": "game_started", "game": game_id}))
                if (
                    game.is_waiting
                    and channel.checked.get(game_id) != game.version
                    and (message := await self._question(player, game_id)) is not None
                ):
                    channel.publish(message)
            if (channel := self._channels.get(player)) is not None:
                channel.has_checked(games)

    async def _games(self, players: list[str]) -> dict[str, GamesInProgress]:
        """The games in progress of these players."""
        found: dict[str, GamesInProgress] = defaultdict(dict)
        for game in await self._engine.playing([UUID(player) for player in players]):
            found[str(game.player)][str(game.game)] = game
        return found

    async def _question(self, player: str, game_id: str) -> bytes | None:
        game = (await self._engine.read(UUID(game_id))).game
        if game.status != PLAYING or seat_of(game, player) not in game.waiting_for():
            return None
        return msgspec.json.encode(notifications.your_turn(game))
