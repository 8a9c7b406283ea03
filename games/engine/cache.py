"""The games that a process has in memory."""

from collections import OrderedDict
from datetime import datetime
from uuid import UUID

from games.engine.nonces import nonce
from games.game.aggregate import GameState
from games.game.decisions.draft import Moment
from games.game.dice import DiceSource
from games.game.values import Value
from games.log.append_record import Birth
from players.database.ids import uuid_of

GAMES_IN_MEMORY = 16_384  # of about 3 kB


class CachedGame(Value, frozen=True):
    """A game as this process last saw it, with the secrets of its dice and its bots."""

    game: GameState
    secret: bytes
    bot_secret: bytes
    code: str

    def after(self, game: GameState) -> "CachedGame":
        return CachedGame(game, self.secret, self.bot_secret, self.code)

    def moment(self, now: datetime) -> Moment:
        return Moment(now, DiceSource(self.secret, self.game.id, self.game.entropy), nonce())

    def birth(self) -> Birth | None:
        """The fixed columns of a game that is not stored yet."""
        if self.game.version:
            return None
        setup = self.game.setup
        clock = setup.clock._asdict() if setup.clock else None
        fixed = (setup.ruleset, setup.sheet, setup.visibility, setup.rated, clock, setup.seats)
        return Birth(*fixed, self.code, self.secret, self.bot_secret)

    def __repr__(self) -> str:
        return f"CachedGame({self.game.id} at {self.game.version})"  # the secrets must not reach a log line


class GameCache:
    """The games used last, by their ids. A dropped game is read from the database again."""

    def __init__(self, size: int = GAMES_IN_MEMORY) -> None:
        self._size = size
        self._games: OrderedDict[int, CachedGame] = OrderedDict()  # an int is hashed faster than a UUID

    def get(self, game_id: UUID) -> CachedGame | None:
        known = self._games.get(game_id.int)
        if known is not None:
            self._games.move_to_end(game_id.int)
        return known

    def put(self, known: CachedGame) -> CachedGame:
        """A slow read does not replace what was committed meanwhile."""
        key = uuid_of(known.game.id).int
        newest = self._games.get(key)
        if newest is None or newest.game.version <= known.game.version:
            self._games[key] = known
        if len(self._games) > self._size:
            self._games.popitem(last=False)
        return known

    def drop(self, game_id: UUID) -> None:
        self._games.pop(game_id.int, None)

    def __contains__(self, game_id: UUID) -> bool:
        return game_id.int in self._games

    def __len__(self) -> int:
        return len(self._games)
