"""What games store about a player: their data export, and leaving all games when the account is deleted."""

import asyncio
from datetime import datetime
from typing import Any
from uuid import UUID

from games import commands, runtime
from games.commands import CommandContext
from games.engine.engine import Engine
from games.log.reads import game_lists
from games.log.rows import Caller
from games.rules.refused import Refused

ALREADY_LEFT = ("game_over", "not_seated", "not_found")


def export_games(player: UUID) -> list[dict[str, Any]]:
    """Every game in which the player has a seat, with the path of its log."""
    return [{**game, "log": f"/api/v1/games/{game['id']}/export"} for game in game_lists.export(player)]


def leave_all_games(player: UUID, now: datetime) -> None:
    """Resign from games in progress and leave open ones. The player has no session any more, so none is checked."""
    unfinished = game_lists.unfinished(player)
    context = CommandContext(Caller(player), now)

    async def leave(engine: Engine, game: UUID) -> None:
        try:
            await commands.leave(engine, game, context)
        except Refused as refused:
            if refused.code not in ALREADY_LEFT:
                raise

    async def leave_each(engine: Engine) -> None:
        await asyncio.gather(*(leave(engine, game) for game in unfinished))

    if unfinished:
        runtime.call(leave_each)
