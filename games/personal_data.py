"""What games have of a player, for those who keep players: what he takes along, and how he leaves it all."""

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from games import commands, runtime
from games.commands import CommandContext
from games.engine.engine import Engine
from games.log import models
from games.log.rows import Caller
from games.rules.refused import Refused

UNDER_WAY = ("open", "playing")
LEFT_ALREADY = ("game_over", "not_seated", "not_found")
GAME = ("id", "ruleset", "sheet", "status", "visibility", "rated", "created_at", "ended_at")


def games(player: UUID) -> list[dict[str, Any]]:
    """Every game in which he sits or sat to the end, and who sat there with him, by their ids."""
    his = models.Seat.objects.filter(player=player).values("game")
    seats: dict[UUID, list[dict[str, Any]]] = {}
    for seat in models.Seat.objects.filter(game__in=his).order_by("game", "seat"):
        seats.setdefault(seat.game_id, []).append({"seat": seat.seat, "player": seat.player, "bot": seat.bot})
    found = models.Game.objects.filter(pk__in=his).order_by("pk").values(*GAME)
    return [{**game, "seats": seats[game["id"]], "log": f"/api/v1/games/{game['id']}/export"} for game in found]


def engaged(players: Iterable[UUID]) -> set[UUID]:
    """Those of them for whom others may be waiting."""
    seats = models.Seat.objects.filter(player__in=list(players), game__status__in=UNDER_WAY)
    return {player for player in seats.values_list("player", flat=True) if player}


def leave_all(player: UUID, now: datetime) -> None:
    """Resign from what is played, get up from what is still open. He has no session any more, so none is asked for."""
    seats = models.Seat.objects.filter(player=player, game__status__in=UNDER_WAY)
    order = CommandContext(Caller(player), now)

    async def leave(engine: Engine, game: UUID) -> None:
        try:
            await commands.leave(engine, game, order)
        except Refused as refused:
            if refused.code not in LEFT_ALREADY:
                raise

    async def leave_each(engine: Engine) -> None:
        await asyncio.gather(*(leave(engine, game) for game in seats_left))

    if seats_left := list(seats.values_list("game", flat=True)):
        runtime.call(leave_each)
