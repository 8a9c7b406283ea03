"""Games and commands for tests of the engine."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from games.engine.engine import CommandResult, Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby, play
from games.game.decisions.draft import Draft, Moment
from games.log.rows import Caller
from games.rules.actions import Action, Request
from players.database.ids import uuid7

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
NO_CLOCK: dict[str, Any] = {"visibility": "private", "clock": None}


def keyed(player: UUID, key: str, body: str = "") -> Caller:
    return Caller(player, None, key, hashlib.sha256(body.encode()).digest())


async def create(engine: Engine, player: UUID, caller: Caller | None = None, **settings: Any) -> CommandResult:
    game_id = uuid7()
    wanted = game_settings.Settings(**{"ruleset": "qwixx", **NO_CLOCK, **settings})
    decide = lambda moment: lobby.create(str(game_id), wanted, str(player), None, moment)  # noqa: E731
    done = await engine.create(game_id, decide, NOW, caller or Caller(player))
    assert done
    return done


def join(player: UUID) -> Callable[[GameState, Moment], Draft]:
    return lambda game, moment: lobby.join(game, str(player), None, moment)


def act(player: str | None, action: Action) -> Callable[[GameState, Moment], Draft]:
    return lambda game, moment: play.act(game, str(player), Request(action), moment)


async def started(engine: Engine, seats: int = 2, **settings: Any) -> GameState:
    """A game that waits for its first roll."""
    done = await create(engine, uuid7(), seats=seats, **settings)
    for _ in range(seats - 1):
        done = await engine.submit(UUID(done.game.id), join(uuid7()), NOW)
    return done.game


def next_step(game: GameState) -> Callable[[GameState, Moment], Draft]:
    """The first option of the first seat that is waited for."""
    seat = game.waiting_for()[0]
    return act(game.participants[seat].player, play.options(game, seat)[0])
