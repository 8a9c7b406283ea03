"""Full games that wait for an announced client seed."""

from datetime import timedelta
from typing import Any

from games import commands
from games.commands import CommandContext
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby
from games.log.rows import Caller
from games.rules.refused import Refused
from players.database.ids import uuid7, uuid_of
from tests.timekeeping.celery_processes import now


async def waiting_game(engine: Engine, due_in_s: float) -> GameState:
    """A game against a bot whose wait for the announced seed ends that many seconds from now."""
    game_id, player = uuid7(), uuid7()
    opened = now() + timedelta(seconds=due_in_s - 5)

    def create(moment: Any) -> Any:
        settings = game_settings.Settings("qwixx", bots=("easy",))
        return lobby.create(str(game_id), settings, str(player), None, moment, late_seed=True)

    done = await engine.create(game_id, create, opened, Caller(player))
    assert done
    assert done.game.deadline
    return done.game


async def give_seed(engine: Engine, game: GameState) -> str:
    """The code of the refusal, or an empty text."""
    player = uuid_of(game.participants[0].player or "")
    try:
        await commands.give_seed(engine, uuid_of(game.id), "race", CommandContext(Caller(player), now()))
    except Refused as refused:
        return refused.code
    return ""
