"""Plays games between demo players by the rules, with the times of people, and stores their logs."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple
from uuid import UUID

from games import bots
from games.engine.cache import CachedGame
from games.engine.engine import CODE_LENGTH, CODE_LETTERS
from games.game.aggregate import GameState
from games.game.decisions import lobby, play
from games.game.decisions.draft import Draft, Moment
from games.game.decisions.game_settings import Settings
from games.game.dice import DiceSource
from games.log import connections, store
from games.log.append_record import Append
from games.log.rows import Caller, next_rows
from games.rules.actions import Request
from games.runtime import conninfo
from players.database.ids import earliest

RULESET, LEVEL = "qwixx", "medium"
LEAVES_IN_TURN = 2
MAX_ANSWER_S = 15.0
NO_CALLER = Caller()


class DemoGame(NamedTuple):
    """Who plays, who of them leaves early, and whose answers take nearly the same time each."""

    players: tuple[UUID, ...]
    leaver: UUID | None = None
    regular: UUID | None = None


class GameRun:
    """One game that is played to its end, command by command."""

    def __init__(self, plan: DemoGame, at: datetime, luck: Random) -> None:
        self._plan, self.now, self._luck = plan, at, luck
        self._secret, self._bot_secret = luck.randbytes(32), luck.randbytes(32)
        self._id = str(demo_id(at, luck))

    def commands(self) -> Iterator[Append]:
        players = [str(player) for player in self._plan.players]
        game, command = self._created(lobby.create_with_players(self._id, SETTINGS, players, self._moment("")))
        yield command
        due: dict[tuple[int, str, int], datetime] = {}
        while not game.is_over:
            draft = self._left(game) if self._is_left(game) else self._answered(game, due)
            before, game = game, draft.result(events := draft.events())
            yield next_rows(before, game, events, NO_CALLER)

    def _created(self, draft: Draft) -> tuple[GameState, Append]:
        code = "".join(self._luck.choices(CODE_LETTERS, k=CODE_LENGTH))
        game = draft.result(events := draft.events())
        birth = CachedGame(draft.before, self._secret, self._bot_secret, code).birth()
        return game, next_rows(draft.before, game, events, NO_CALLER, birth)

    def _is_left(self, game: GameState) -> bool:
        return self._plan.leaver is not None and game.position.turn >= LEAVES_IN_TURN

    def _left(self, game: GameState) -> Draft:
        self.now += timedelta(seconds=1)
        return play.resign(game, str(self._plan.leaver), self._moment(game.entropy))

    def _answered(self, game: GameState, due: dict[tuple[int, str, int], datetime]) -> Draft:
        """The seat answers first whose time is up first."""
        position = game.position
        keys = {seat: (position.roll, position.phase, seat) for seat in game.waiting_for()}
        for seat, key in keys.items():
            if key not in due:
                due[key] = self.now + self._delay(game.participants[seat].player or "")
        seat = min(keys, key=lambda each: due[keys[each]])
        self.now = max(self.now, due[keys[seat]])
        action = bots.choose(LEVEL, RULESET, position, seat, self._luck)
        request = Request(action, position.roll, position.phase)
        return play.act(game, game.participants[seat].player or "", request, self._moment(game.entropy))

    def _delay(self, player: str) -> timedelta:
        if player == str(self._plan.regular):
            return timedelta(seconds=2 + self._luck.uniform(-0.05, 0.05))
        return timedelta(seconds=min(MAX_ANSWER_S, 0.8 + self._luck.expovariate(0.3)))

    def _moment(self, entropy: str) -> Moment:
        return Moment(self.now, DiceSource(self._secret, self._id, entropy), f"{self._luck.getrandbits(128):032x}")


SETTINGS = Settings(RULESET, rated=True)


def demo_id(at: datetime, luck: Random) -> UUID:
    """An id of version 7 that was made then."""
    return UUID(int=earliest(at).int | 0x7 << 76 | 0x2 << 62 | luck.getrandbits(60))


def save(games: Sequence[Sequence[Append]]) -> None:
    """Append the commands of all games side by side: one batch has at most one command of each."""

    async def write() -> None:
        async with connections.connected(conninfo()) as connection:
            for number in range(max(map(len, games))):
                batch = [commands[number] for commands in games if number < len(commands)]
                failed = [outcome for outcome in await store.append(connection, batch) if outcome.status != "ok"]
                if failed:
                    raise ValueError(f"a demo game could not be stored: {failed[0]}")

    asyncio.run(write())


def in_order(groups: Mapping[str, Sequence[DemoGame]]) -> list[DemoGame]:
    """All games, those of each group in their order and spread over the whole time."""
    places = [
        ((number + 0.5) / len(games), name, game) for name, games in groups.items() for number, game in enumerate(games)
    ]
    return [game for _, _, game in sorted(places, key=lambda place: place[:2])]
