"""The sockets of this process on the lobby: the list of open games first, then every change of a public game."""

import asyncio
import logging
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from games.game.aggregate import PLAYING
from games.live import topics
from games.live.hub import Hub
from games.log.reads import summaries
from games.log.reads.in_thread import read_in_thread
from games.streams import frames

MOST_SHOWN = 5000  # games whose changes are compared with what was shown

Row = dict[str, Any]

logger = logging.getLogger(__name__)


class LobbySocket(Protocol):
    player: str
    ruleset: str | None  # only games of this ruleset
    sheet: str | None  # only games on this sheet
    is_ready: bool

    def write(self, text: str) -> None: ...


class ShownGame(NamedTuple):
    """What has to change for a game to be shown again; the moves of a game in progress do not count."""

    status: str
    seats: tuple[tuple[int, str | None], ...]


class LobbyChannel:
    """Reads summaries one query at a time, so that a socket gets the list first and every later change after it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.sockets: set[LobbySocket] = set()
        self._shown: dict[str, ShownGame] = {}
        self._changed: set[str] = set()
        self._reading = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        hub.lobby.append(self.publish)

    async def subscribe(self, socket: LobbySocket) -> None:
        if not self.sockets:
            self._hub.follow(topics.LOBBY)
        self.sockets.add(socket)
        await self._hub.hears(topics.LOBBY)
        async with self._reading:
            rows = await read_in_thread(summaries.open_games, socket.ruleset, socket.sheet)
            for row in rows:
                self._shown.setdefault(row["id"], shown_game(row))
            games: Any = [{**row, "you": summaries.seat_of(socket.player, row)} for row in rows]
            socket.write(frames.GamesFrame(games).encode())
            socket.is_ready = True

    def unsubscribe(self, socket: LobbySocket) -> None:
        if socket in self.sockets:
            self.sockets.remove(socket)
            if not self.sockets:
                self._hub.unfollow(topics.LOBBY)

    def publish(self, game_id: str) -> None:
        """A commit has changed the summary of a public game."""
        if self.sockets:
            self._changed.add(game_id)
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._show_changed())

    async def _show_changed(self) -> None:
        try:
            while self._changed:
                async with self._reading:
                    ids, self._changed = self._changed, set()
                    self._show(await read_in_thread(summaries.of, [UUID(game_id) for game_id in ids]))
        except Exception as error:  # noqa: BLE001  (the next check finds the changes)
            logger.warning("changes of the lobby could not be read: %s", error)

    async def check(self) -> None:
        """Show changes whose messages were missed."""
        if not self.sockets:
            self._shown.clear()
            return
        async with self._reading:
            rows = await read_in_thread(summaries.open_games, None, None)
            listed = {row["id"] for row in rows}
            open_games = [UUID(game_id) for game_id, shown in self._shown.items() if shown.status == "open"]
            playing = [UUID(game_id) for game_id, shown in self._shown.items() if shown.status == PLAYING]
            over = await read_in_thread(summaries.not_playing, playing)
            others = [game_id for game_id in open_games if str(game_id) not in listed] + over
            self._show([*reversed(rows), *(await read_in_thread(summaries.of, others))])

    def _show(self, rows: list[Row]) -> None:
        for row in rows:
            shown = shown_game(row)
            if self._shown.get(row["id"]) == shown:
                continue
            self._remember(row["id"], shown)
            self._send(row)

    def _send(self, row: Row) -> None:
        """Encoded once for all sockets, and again only for players who have a seat in the game."""
        texts: dict[int | None, str] = {}
        for socket in tuple(self.sockets):
            if socket.is_ready and socket.ruleset in (None, row["ruleset"]) and socket.sheet in (None, row["sheet"]):
                seat = summaries.seat_of(socket.player, row)
                if seat not in texts:
                    game: Any = {**row, "you": seat}
                    texts[seat] = frames.GameFrame(game).encode()
                socket.write(texts[seat])

    def _remember(self, game_id: str, shown: ShownGame) -> None:
        self._shown.pop(game_id, None)
        if shown.status in ("open", PLAYING):
            self._shown[game_id] = shown
        if len(self._shown) > MOST_SHOWN:
            del self._shown[next(iter(self._shown))]


def shown_game(row: Row) -> ShownGame:
    return ShownGame(row["status"], tuple((seat["seat"], seat["player"]["id"]) for seat in row["seats"]))
