"""Views of lists: games, games of a player, rulesets; and the creation of a game, which shares a URL with its list."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import commands
from games.api import request_bodies
from games.api.current_player import identity
from games.api.pagination import Pages, PagesOfSeats
from games.api.schema import KEY, described
from games.api.seat_views import answered
from games.game import view_schemas
from games.log import game_lists
from games.log.summaries import summaries
from games.rules.refused import Refused
from games.rules.registry import RULESETS
from players.accounts import profile

CHOICES: dict[str, tuple[str, ...]] = {
    "status": ("open", "playing", "finished", "aborted", "voided"),
    "ruleset": tuple(RULESETS),
    "mine": ("true", "false"),
    "waiting": ("me",),
}
KINDS = tuple(OpenApiParameter(name, str, enum=CHOICES[name]) for name in ("status", "ruleset"))
PAGES = (
    OpenApiParameter("limit", int, description="1 to 100; 20 without it."),
    OpenApiParameter("cursor", str, description="From `next` or `previous`."),
)
FILTERS = (
    *KINDS,
    OpenApiParameter("mine", str, enum=CHOICES["mine"], description="Only games in which the caller has a seat."),
    OpenApiParameter("waiting", str, enum=CHOICES["waiting"], description="Only games that wait for the caller."),
    *PAGES,
)


class RulesetsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @described("listRulesets", "Every ruleset and sheet, with all that is needed to draw it", view_schemas.Rulesets)
    def get(self, _request: Request) -> Response:
        results = [
            {"key": ruleset.key, "seats": [ruleset.seats[0], ruleset.seats[-1]], **ruleset.description()}
            for ruleset in RULESETS.values()
        ]
        return Response({"results": results}, headers={"Cache-Control": "public, max-age=300"})


class GamesView(APIView):
    def get_throttles(self) -> list[Any]:
        self.throttle_scope = "games" if self.request.method == "POST" else "reads"
        return super().get_throttles()

    @described("listGames", "Games the caller may see, newest first", view_schemas.Games, parameters=FILTERS)
    def get(self, request: Request) -> Response:
        pages = Pages()
        rows = pages.paginate_queryset(wanted(request.query_params, identity(request).player), request, view=self) or []
        return pages.get_paginated_response(summaries(rows))

    @described(
        "createGame",
        "Create a game; the caller gets seat 0",
        view_schemas.GameSchema,
        body=request_bodies.CreateGame,
        status=201,
        parameters=(KEY,),
        example={"ruleset": "qwixx", "seats": 2, "visibility": "private"},
    )
    def post(self, request: Request) -> Response:
        body = request_bodies.read(request.data, request_bodies.CreateGame)
        return answered(
            request, lambda engine, context: commands.create(engine, body.settings(), body.client_seed, context), 201
        )


class PlayedView(APIView):
    @described(
        "listGamesOfPlayer",
        "A player's games, newest first: public ones, and those in which the caller has a seat",
        view_schemas.Games,
        parameters=(*KINDS, *PAGES),
        tag="players",
    )
    def get(self, request: Request, player_id: UUID) -> Response:
        profile.public_profile(player_id)
        seats, pages = played_by(player_id, identity(request).player, request.query_params), PagesOfSeats()
        rows = pages.paginate_queryset(seats, request, view=self) or []
        return pages.get_paginated_response(summaries([seat.game for seat in rows]))


def wanted(query: Any, player: UUID) -> QuerySet[Any]:
    """Public games; with `mine` or `waiting` the games of the player, private ones included."""
    return _games(query, player).filter(**_filters(query))


def played_by(player: UUID, caller: UUID, query: Any) -> QuerySet[Any]:
    """The seats of a player in games that the caller may see."""
    return game_lists.seats_seen_by(player, caller).filter(**_filters(query, "game__"))


def _filters(query: Any, path: str = "") -> dict[str, str]:
    """The filters `status` and `ruleset`, where given."""
    return {path + name: chosen for name in ("status", "ruleset") if (chosen := _chosen(query, name)) is not None}


def _games(query: Any, player: UUID) -> QuerySet[Any]:
    """Both parameters are validated, even where only one is used."""
    waiting, mine = _chosen(query, "waiting"), _chosen(query, "mine")
    if waiting:
        return game_lists.waiting_for(player)
    return game_lists.with_player(player) if mine == "true" else game_lists.public()


def _chosen(query: Any, name: str) -> str | None:
    if name not in query:
        return None
    if query[name] not in CHOICES[name]:
        raise Refused("malformed", errors=[(f"?{name}", f"one of {', '.join(CHOICES[name])}")])
    return str(query[name])
