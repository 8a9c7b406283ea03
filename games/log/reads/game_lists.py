"""Lists of games and seats for adapters, as lazy queries: only this package names the tables."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, SmallIntegerField
from django.db.models.functions import Cast

from games.log.models import Game, Seat

UNFINISHED = ("open", "playing")
EXPORTED = ("id", "ruleset", "sheet", "status", "visibility", "rated", "created_at", "ended_at")


def waiting_seats(player: UUID) -> QuerySet[Seat]:
    """The seats in which it is this player's move: bit n of a game's `waiting` is its seat n."""
    bit = Func(F("game__waiting"), F("seat"), template="((%(expressions)s) & 1)", arg_joiner=" >> ")
    seats = Seat.objects.filter(player=player, game__status="playing")
    return seats.alias(bit=Cast(bit, SmallIntegerField())).filter(bit=1)


def seats_seen_by(player: UUID, viewer: UUID) -> QuerySet[Seat]:
    """The seats of a player in games that the viewer may see: public ones, and those that both play.

    Seats, not games: read along their index by player, a page costs only the rows that it shows.
    """
    seats = Seat.objects.filter(player=player).select_related("game")
    if player == viewer:
        return seats
    shared = Seat.objects.filter(player=viewer, game=OuterRef("game"))
    return seats.filter(Q(game__visibility="public") | Exists(shared))


def hidden(games: Iterable[UUID], viewer: UUID) -> set[UUID]:
    """Those of these games that are private and in which the viewer has no seat."""
    private = Game.objects.filter(pk__in=list(games), visibility="private")
    own = Seat.objects.filter(player=viewer, game=OuterRef("pk"))
    return set(private.exclude(Exists(own)).values_list("pk", flat=True))


def has_seat(player: UUID) -> Exists:
    """For a query over rows with a `game`: whether the player has a seat in it."""
    return Exists(Seat.objects.filter(game=OuterRef("game"), player=player))


def unfinished(player: UUID) -> list[UUID]:
    """The games of a player that are open or in progress."""
    seats = Seat.objects.filter(player=player, game__status__in=UNFINISHED)
    return list(seats.values_list("game", flat=True))


def in_unfinished(players: Iterable[UUID]) -> set[UUID]:
    """Those of these players who have a seat in a game that is open or in progress."""
    seats = Seat.objects.filter(player__in=list(players), game__status__in=UNFINISHED)
    return {player for player in seats.values_list("player", flat=True) if player}


def export(player: UUID) -> list[dict[str, Any]]:
    """Every game in which the player has a seat, with the ids of the players in all its seats."""
    own = Seat.objects.filter(player=player).values("game")
    seats: dict[UUID, list[dict[str, Any]]] = {}
    for seat in Seat.objects.filter(game__in=own).order_by("game", "seat"):
        seats.setdefault(seat.game_id, []).append({"seat": seat.seat, "player": seat.player, "bot": seat.bot})
    found = Game.objects.filter(pk__in=own).order_by("pk").values(*EXPORTED)
    return [{**game, "seats": seats[game["id"]]} for game in found]
