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
from games.api import examples, list_filters, request_bodies
from games.api.current_player import identity
from games.api.pagination import LARGEST, PAGES_OF
from games.api.schema import KEY, described
from games.api.views.seat_views import answered
from games.game.decisions import game_settings
from games.game.json import view_schemas
from games.log.reads import game_filters
from games.log.reads.game_filters import GameFilters
from games.log.reads.summaries import summaries
from games.rules.registry import RULESETS
from players.accounts import profile

PAGES = (
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": LARGEST}, description="Entries on a page; 20 without it."
    ),
    OpenApiParameter("cursor", str, description="From `next` or `previous`."),
)


class RulesetsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @described(
        "listRulesets", "List all rulesets and sheets, with all that is needed to draw them", view_schemas.Rulesets
    )
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

    @described(
        "listGames",
        "List games that the caller may see, newest first",
        view_schemas.Games,
        parameters=(*list_filters.PARAMETERS.values(), *PAGES),
        answer_example={"results": [examples.SUMMARY], "next": None, "previous": None},
    )
    def get(self, request: Request) -> Response:
        return page_of(list_filters.read(request.query_params), request)

    @described(
        "createGame",
        "Create a game; the caller gets seat 0",
        view_schemas.GameSchema,
        body=request_bodies.CreateGame,
        status=201,
        parameters=(KEY,),
        example={"ruleset": "qwixx", "seats": 2, "visibility": "public"},
        answer_example=examples.CREATED,
    )
    def post(self, request: Request) -> Response:
        body = request_bodies.read(
            request.data,
            request_bodies.CreateGame,
            also=lambda body: game_settings.errors_in(body.settings(), body.client_seed),
        )
        response = answered(
            request, lambda engine, context: commands.create(engine, body.settings(), body.seed(), context), 201
        )
        response["Location"] = f"/api/v1/games/{response.data['id']}"
        return response


class PlayedView(APIView):
    @described(
        "listPlayerGames",
        "List a player's games that the caller may see, newest first",
        view_schemas.Games,
        parameters=(*(list_filters.PARAMETERS[name] for name in list_filters.OF_PLAYER), *PAGES),
        tag="players",
        answer_example={"results": [examples.SUMMARY], "next": None, "previous": None},
    )
    def get(self, request: Request, player_id: UUID) -> Response:
        profile.public_profile(player_id)
        filters = list_filters.read(request.query_params, list_filters.OF_PLAYER)
        return page_of(filters._replace(player=player_id), request)


def page_of(filters: GameFilters, request: Request) -> Response:
    viewer, pages = identity(request).player, PAGES_OF[filters.is_by_seat, filters.is_by_end]()
    rows: QuerySet[Any] = game_filters.seats(filters, viewer) if filters.is_by_seat else game_filters.games(filters)
    return pages.get_paginated_response(summaries(pages.paginate_queryset(rows, request) or [], viewer))
