"""Summaries of games for lists, read synchronously: not for the thread of an event loop."""

from typing import Any
from uuid import UUID

from django.db import connection

from games.game.events import stamp
from games.log import models
from players.sessions.directory import directory

LONGEST = 100


def open_games(ruleset: str | None) -> list[dict[str, Any]]:
    """The public games that wait for players, the newest first."""
    games = models.Game.objects.filter(status="open", visibility="public").order_by("-pk")
    if ruleset is not None:
        games = games.filter(ruleset=ruleset)
    return summaries(list(games[:LONGEST]))


def of(ids: list[UUID]) -> list[dict[str, Any]]:
    """These games, as they are stored now."""
    return summaries(list(models.Game.objects.filter(pk__in=ids).order_by("pk")))


def not_playing(ids: list[UUID]) -> list[UUID]:
    """Those of these games that are no longer in progress."""
    return list(models.Game.objects.filter(pk__in=ids).exclude(status="playing").values_list("pk", flat=True))


def close_connection() -> None:
    """Close the connection of this thread, which belongs to a pool of threads."""
    connection.close()


def summaries(games: list[models.Game]) -> list[dict[str, Any]]:
    seats = models.Seat.objects.filter(game__in=[game.pk for game in games]).order_by("game", "seat")
    by_game: dict[UUID, list[models.Seat]] = {game.pk: [] for game in games}
    for seat in seats:
        by_game[seat.game_id].append(seat)
    profiles = directory.profiles_sync({seat.player for seat in seats if seat.player})
    return [summary(game, by_game[game.pk], profiles) for game in games]


def summary(game: models.Game, seats: list[models.Seat], profiles: Any) -> dict[str, Any]:
    deadline = stamp(game.deadline_at) if game.deadline_at else None
    turn = {"active": game.active, "phase": game.phase, "deadline_at": deadline} if game.status == "playing" else None
    return {
        "id": str(game.id),
        "ruleset": game.ruleset,
        "sheet": game.sheet,
        "status": game.status,
        "size": game.seats,
        "seats": [{"seat": seat.seat, "player": _occupant(seat, profiles)} for seat in seats],
        "visibility": game.visibility,
        "rated": game.rated,
        "clock": game.clock,
        "turn": turn,
        "created_at": stamp(game.created_at),
    }


def _occupant(seat: models.Seat, profiles: Any) -> dict[str, Any]:
    if seat.player is None:
        return {"id": None, "name": f"Bot ({seat.bot})", "is_guest": False, "is_bot": True}
    return {**profiles[seat.player]._asdict(), "id": str(seat.player)}
