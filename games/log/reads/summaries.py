"""Summaries of games for lists, read synchronously: not for the thread of an event loop."""

from collections.abc import Iterable
from itertools import count
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject

from games.game import event_types
from games.game.bot_names import bot_profile
from games.game.events import stamp
from games.log import models
from players.sessions.directory import directory

LONGEST = 100
ABORTED: dict[str, Any] = {"reason": "aborted", "ranking": []}

Json = dict[str, Any]
Row = TypeVar("Row", bound=Model)


def open_games(ruleset: str | None, sheet: str | None) -> list[Json]:
    """The public games that wait for players, the newest first."""
    wanted = {name: value for name, value in (("ruleset", ruleset), ("sheet", sheet)) if value is not None}
    games = models.Game.objects.filter(status="open", visibility="public", **wanted).order_by("-pk")
    return summaries(with_details(games, "pk")[:LONGEST])


def of(ids: list[UUID]) -> list[Json]:
    """These games, as they are stored now."""
    return summaries(with_details(models.Game.objects.filter(pk__in=ids).order_by("pk"), "pk"))


def names(ids: Iterable[UUID]) -> dict[UUID, str]:
    """The names of the players of these games, bots among them."""
    found = of(list(ids))
    return {UUID(each["id"]): ", ".join(seat["player"]["name"] for seat in each["seats"]) for each in found}


def not_playing(ids: list[UUID]) -> list[UUID]:
    """Those of these games that are no longer in progress."""
    return list(models.Game.objects.filter(pk__in=ids).exclude(status="playing").values_list("pk", flat=True))


def with_details(rows: QuerySet[Row], game: str) -> QuerySet[Row]:
    """Adds the seats and the result of the game in the column `game`: one statement reads whole summaries, so that a
    commit in between cannot mix two versions."""
    seats = models.Seat.objects.filter(game=OuterRef(game)).order_by("seat")
    ends = models.StoredEvent.objects.filter(game=OuterRef(game), type="game_ended")
    archived = models.ArchivedGame.objects.filter(game=OuterRef(game), end_v__isnull=False)
    detailed: Any = rows.annotate(
        taken=ArraySubquery(seats.values(json=JSONObject(seat="seat", player="player", bot="bot"))),
        end=Coalesce(
            Subquery(ends.values(json=JSONObject(v="v", data="data"))[:1]),
            Subquery(archived.values(json=JSONObject(v="end_v", data="end_data"))),
        ),
    )
    return detailed  # type: ignore[no-any-return]


def summaries(rows: Iterable[Any], viewer: UUID | None = None) -> list[Json]:
    """The summaries of games, or of the games of seats, that were read with their details."""
    rows = list(rows)
    profiles = directory.profiles_sync({UUID(seat["player"]) for row in rows for seat in row.taken if seat["player"]})
    people = {str(player): {**profile._asdict(), "id": str(player)} for player, profile in profiles.items()}
    found = [summary(row, people) for row in rows]
    return [{**each, "you": seat_of(str(viewer), each)} for each in found]


def seat_of(viewer: str, summary: Json) -> int | None:
    """The seat of this player in the game, which is `you` in the summary that they get."""
    own: list[int] = [seat["seat"] for seat in summary["seats"] if seat["player"]["id"] == viewer]
    return own[0] if own else None


def summary(row: Any, people: dict[str, Json]) -> Json:
    game: models.Game = row.game if isinstance(row, models.Seat) else row
    return {
        "id": str(game.id),
        "ruleset": game.ruleset,
        "sheet": game.sheet,
        "status": game.status,
        "version": game.version,
        "seats": _seats(str(game.id), row.taken, people),
        "size": game.seats,
        "visibility": game.visibility,
        "rated": game.rated,
        "clock": game.clock,
        "turn": _turn(game) if game.status == "playing" else None,
        "you": None,
        "result": _result(row.end) if game.ended_at else None,
        "created_at": stamp(game.created_at),
        "ended_at": stamp(game.ended_at) if game.ended_at else None,
    }


def _turn(game: models.Game) -> Json:
    return {
        "active": game.active,
        "phase": game.phase or None,
        "waiting_for": [seat for seat in range(game.seats) if game.waiting >> seat & 1],
        "deadline_at": stamp(game.deadline_at) if game.deadline_at else None,
    }


def _result(end: Json | None) -> Json:
    """The result in the event that ended the game; a game without one was aborted, or voided while it was played."""
    if end is None:
        return ABORTED
    fact = event_types.decode("game_ended", end["v"], end["data"])
    return {"reason": fact.reason, "ranking": list(fact.ranking)}


def _seats(game_id: str, taken: list[Json], people: dict[str, Json]) -> list[Json]:
    bots = count()
    return [
        {
            "seat": seat["seat"],
            "player": people[seat["player"]]
            if seat["player"] is not None
            else bot_profile(game_id, next(bots), seat["bot"]),
        }
        for seat in taken
    ]
