"""What games store about a player: their data export, and leaving all games when the account is deleted."""

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

UNFINISHED = ("open", "playing")
ALREADY_LEFT = ("game_over", "not_seated", "not_found")
GAME_FIELDS = ("id", "ruleset", "sheet", "status", "visibility", "rated", "created_at", "ended_at")


def export_games(player: UUID) -> list[dict[str, Any]]:
    """Every game in which the player has a seat, with the ids of the other players."""
    own = models.Seat.objects.filter(player=player).values("game")
    seats: dict[UUID, list[dict[str, Any]]] = {}
    for seat in models.Seat.objects.filter(game__in=own).order_by("game", "seat"):
        seats.setdefault(seat.game_id, []).append({"seat": seat.seat, "player": seat.player, "bot": seat.bot})
    found = models.Game.objects.filter(pk__in=own).order_by("pk").values(*GAME_FIELDS)
    return [{**game, "seats": seats[game["id"]], "log": f"/api/v1/games/{game['id']}/export"} for game in found]


def players_in_unfinished_games(players: Iterable[UUID]) -> set[UUID]:
    seats = models.Seat.objects.filter(player__in=list(players), game__status__in=UNFINISHED)
    return {player for player in seats.values_list("player", flat=True) if player}


def leave_all_games(player: UUID, now: datetime) -> None:
    """Resign from games under way and leave open ones. The player has no session any more, so none is checked."""
    seats = models.Seat.objects.filter(player=player, game__status__in=UNFINISHED)
    games = list(seats.values_list("game", flat=True))
    context = CommandContext(Caller(player), now)

    async def leave(engine: Engine, game: UUID) -> None:
        try:
            await commands.leave(engine, game, context)
        except Refused as refused:
            if refused.code not in ALREADY_LEFT:
                raise

    async def leave_each(engine: Engine) -> None:
        await asyncio.gather(*(leave(engine, game) for game in games))

    if games:
        runtime.call(leave_each)
