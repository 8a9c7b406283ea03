"""What games have of a player, for those who keep players: what he takes along, and how he leaves it all."""

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from games import commands, runtime
from games.commands import CommandContext
from games.engine.engine import Engine
from games.log import game_lists
from games.log.rows import Caller
from games.rules.refused import Refused

LEFT_ALREADY = ("game_over", "not_seated", "not_found")


def games(player: UUID) -> list[dict[str, Any]]:
    """Every game in which the player has a seat, and the ids of the players beside them."""
    return [{**game, "log": f"/api/v1/games/{game['id']}/export"} for game in game_lists.export(player)]


def engaged(players: Iterable[UUID]) -> set[UUID]:
    """Those of them for whom others may be waiting."""
    return game_lists.in_unfinished(players)


def leave_all(player: UUID, now: datetime) -> None:
    """Resign from games in progress, leave open ones. The player has no session any more, so none is named."""
    unfinished = game_lists.unfinished(player)
    order = CommandContext(Caller(player), now)

    async def leave(engine: Engine, game: UUID) -> None:
        try:
            await commands.leave(engine, game, order)
        except Refused as refused:
            if refused.code not in LEFT_ALREADY:
                raise

    async def leave_each(engine: Engine) -> None:
        await asyncio.gather(*(leave(engine, game) for game in unfinished))

    if unfinished:
        runtime.call(leave_each)
