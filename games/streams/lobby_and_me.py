"""What is followed besides single games: the lobby, and what each player is told of his own affairs."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar
from uuid import UUID

import msgspec

from games import calls
from games.engine.engine import Engine
from games.game.aggregate import PLAYING
from games.game.views import seat_of
from games.live import notifications
from games.live.hub import Hub
from games.log import summaries
from games.matchmaking import tickets
from games.streams import frames, missed_notifications
from games.streams.socket_writer import Bundle

MOST_FOLLOWED = 5000  # games under way of which the lobby waits for the end

Result = TypeVar("Result")
Row = dict[str, Any]


class Reader(Protocol):
    """A socket that gets what everybody gets."""

    def give(self, bundle: Bundle) -> None: ...


class LobbyReader(Reader, Protocol):
    ruleset: str | None
    is_ready: bool


async def in_a_thread(read: Callable[..., Result], *arguments: Any) -> Result:
    def run() -> Result:
        try:
            return read(*arguments)
        finally:
            summaries.let_go()

    return await asyncio.to_thread(run)


class Line(NamedTuple):
    """What has to change for a game to be shown again; the moves of a game under way do not count."""

    status: str
    seats: tuple[tuple[int, str | None], ...]


class Lobby:
    """Reads lists one at a time: whoever enters gets the list first, and every later change after it."""

    def __init__(self, hub: Hub) -> None:
        self.readers: set[LobbyReader] = set()
        self._shown: dict[str, Line] = {}
        self._changed: set[str] = set()
        self._reading = asyncio.Lock()
        self._telling: asyncio.Task[None] | None = None
        hub.lobbies.append(self.changed)

    async def enter(self, reader: LobbyReader) -> None:
        async with self._reading:
            rows = await in_a_thread(summaries.open_games, reader.ruleset)
            for row in rows:
                self._shown.setdefault(row["id"], line(row))
            games: Any = rows
            reader.give(Bundle(frames.Games(games).encode()))
            reader.is_ready = True

    def changed(self, game: str) -> None:
        if self.readers:
            self._changed.add(game)
            if self._telling is None:
                self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        try:
            while self._changed:
                async with self._reading:
                    ids, self._changed = self._changed, set()
                    self._show(await in_a_thread(summaries.of, [UUID(game) for game in ids]))
        finally:
            self._telling = None

    async def look(self) -> None:
        """What was changed unheard."""
        if not self.readers:
            self._shown.clear()
            return
        async with self._reading:
            rows = await in_a_thread(summaries.open_games, None)
            listed = {row["id"] for row in rows}
            waiting = [UUID(game) for game, shown in self._shown.items() if shown.status == "open"]
            playing = [UUID(game) for game, shown in self._shown.items() if shown.status == PLAYING]
            over = await in_a_thread(summaries.not_playing, playing)
            others = [game for game in waiting if str(game) not in listed] + over
            self._show([*reversed(rows), *(await in_a_thread(summaries.of, others))])

    def _show(self, rows: list[Row]) -> None:
        for row in rows:
            now = line(row)
            if self._shown.get(row["id"]) == now:
                continue
            self._remember(row["id"], now)
            game: Any = row
            bundle = Bundle(frames.GameFrame(game).encode())
            for reader in tuple(self.readers):
                if reader.is_ready and reader.ruleset in (None, row["ruleset"]):
                    reader.give(bundle)

    def _remember(self, game: str, now: Line) -> None:
        self._shown.pop(game, None)
        if now.status in ("open", PLAYING):
            self._shown[game] = now
        if len(self._shown) > MOST_FOLLOWED:
            del self._shown[next(iter(self._shown))]


def line(row: Row) -> Line:
    return Line(row["status"], tuple((seat["seat"], seat["player"]["id"]) for seat in row["seats"]))


class Asked(NamedTuple):
    """Which question of a game a player was told of."""

    number: int
    roll: int
    phase: str | None


class Turn(msgspec.Struct):
    number: int
    roll: int
    phase: str | None


class Message(msgspec.Struct):
    """As much of a message as has to be looked at."""

    type: str
    game: Any = ""
    turn: Turn | None = None
    ticket: str = ""
    invitation: str = ""

    @property
    def subject(self) -> tuple[str, str]:
        """What it is about; of that a player is told once."""
        return self.type, self.ticket or self.invitation or self.game


_read = msgspec.json.Decoder(Message).decode


class Box:
    """What one player has been told in this process, and his sockets here."""

    def __init__(self) -> None:
        self.readers: set[Reader] = set()
        self.asked: dict[str, Asked] = {}
        self.playing: set[str] = set()
        self.told: set[tuple[str, str]] = set()

    def hear(self, message: bytes) -> None:
        if self.is_news(message):
            bundle = Bundle(message)
            for reader in tuple(self.readers):
                reader.give(bundle)

    def is_news(self, message: bytes) -> bool:
        """What was found in the log before it was heard need not be said again."""
        said = _read(message)
        if said.type == "game_started":
            is_new = said.game not in self.playing
            self.playing.add(said.game)
            return is_new
        if said.type == "your_turn" and said.turn is not None:
            asked = Asked(said.turn.number, said.turn.roll, said.turn.phase)
            is_new = self.asked.get(said.game) != asked
            self.asked[said.game] = asked
            return is_new
        if said.type in missed_notifications.KINDS:
            is_new = said.subject not in self.told
            self.told.add(said.subject)
            return is_new
        return True


class Mail:
    def __init__(self, engine: Engine, hub: Hub) -> None:
        self._engine, self._hub = engine, hub
        self._boxes: dict[str, Box] = defaultdict(Box)

    async def enter(self, player: str, reader: Reader) -> None:
        """Whoever comes is told of the games that wait for him already. What else there was before he came is known."""
        old = await in_a_thread(missed_notifications.recent, [UUID(player)], calls.now())
        box = self._boxes[player]
        if not box.readers:
            for _, known in old:
                box.is_news(known)
        box.readers.add(reader)
        self._hub.players[player].add(box.hear)
        for game, is_asked in (await self._games([player])).get(player, {}).items():
            box.playing.add(game)
            if is_asked:
                message = await self._question(player, game)
                if message is not None:
                    box.is_news(message)
                    reader.give(Bundle(message))

    def leave(self, player: str, reader: Reader) -> None:
        box = self._boxes[player]
        box.readers.discard(reader)
        if not box.readers:
            del self._boxes[player]
            self._hub.players[player].discard(box.hear)
            if not self._hub.players[player]:
                del self._hub.players[player]

    async def look(self) -> None:
        """What was committed unheard."""
        if not self._boxes:
            return
        await in_a_thread(tickets.mark_present, [UUID(player) for player in self._boxes], calls.now())
        await self._look_at_games()
        for player, message in await in_a_thread(
            missed_notifications.recent, [UUID(player) for player in self._boxes], calls.now()
        ):
            if (box := self._boxes.get(player)) is not None:
                box.hear(message)

    async def _look_at_games(self) -> None:
        for player, games in (await self._games(list(self._boxes))).items():
            for game, is_asked in games.items():
                if (box := self._boxes.get(player)) is None:
                    break
                if game not in box.playing:
                    box.hear(msgspec.json.encode({"type": "game_started", "game": game}))
                if is_asked and (message := await self._question(player, game)) is not None:
                    box.hear(message)

    async def _games(self, players: list[str]) -> dict[str, dict[str, bool]]:
        """The games under way of these players, and whether they wait for them."""
        found: dict[str, dict[str, bool]] = defaultdict(dict)
        for player, game, is_asked in await self._engine.playing([UUID(player) for player in players]):
            found[str(player)][str(game)] = is_asked
        return found

    async def _question(self, player: str, game_id: str) -> bytes | None:
        game = (await self._engine.read(UUID(game_id))).game
        if game.status != PLAYING or seat_of(game, player) not in game.waiting_for():
            return None
        return msgspec.json.encode(notifications.your_turn(game))
