"""Views of a player's statistics and rating changes."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players import extensions
from players.accounts import profile
from players.api import schema_examples
from players.api.pagination import PAGES, cursor, limit, link
from players.api.responses import private_response
from players.api.serializers import ProfileSerializer
from players.api.token_authentication import identity
from players.database.refusal import RequestRefused
from players.ratings import statistics
from players.ratings.models import RatingChange


class RatingSerializer(serializers.Serializer[Any]):
    """A rating of the model, and the shown value 1000 + 40 (mu - 3 sigma)."""

    value = serializers.IntegerField()
    mu = serializers.FloatField()
    sigma = serializers.FloatField()
    games = serializers.IntegerField(help_text="The number of rated games without bots.")
    provisional = serializers.BooleanField(help_text="Fewer than 10 games.")


class PointSerializer(serializers.Serializer[Any]):
    """The rating after a game."""

    game = serializers.UUIDField(allow_null=True, help_text="Null for a private game that the caller did not play.")
    at = serializers.DateTimeField(help_text="Of such a game only the day, at midnight.")
    value = serializers.IntegerField()


class RatingWithHistorySerializer(RatingSerializer):
    history = PointSerializer(many=True, help_text="The newest 50, newest first.")
    changes = serializers.URLField(help_text="Every change with its inputs.")


class SheetFiguresSerializer(serializers.Serializer[Any]):
    """All finished games on one sheet."""

    sheet = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    average = serializers.FloatField()
    best = serializers.IntegerField()


class FiguresSerializer(serializers.Serializer[Any]):
    """All finished games of a ruleset, rated or not, without voided games."""

    ruleset = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField(help_text="A shared first place is a win.")
    average = serializers.FloatField(allow_null=True, help_text="Points; null before the first game.")
    best = serializers.IntegerField(allow_null=True)
    sheets = SheetFiguresSerializer(many=True, help_text="The same of each sheet played; the most played first.")
    rating = RatingWithHistorySerializer()


class StatsSerializer(serializers.Serializer[Any]):
    """The figures of a player, one entry for each ruleset."""

    player = ProfileSerializer()
    results = FiguresSerializer(many=True)


class OpponentSerializer(serializers.Serializer[Any]):
    """Another player of the game, with the rank and the rating before it."""

    player = ProfileSerializer()
    rank = serializers.IntegerField()
    before = RatingSerializer()


class ChangeSerializer(PointSerializer):
    """How a game changed a rating, with its inputs: the ranks and the ratings of all players before the game."""

    model = serializers.CharField()
    rank = serializers.IntegerField()
    before = RatingSerializer()
    after = RatingSerializer()
    opponents = OpponentSerializer(many=True, help_text="Empty for a private game that the caller did not play.")


class ChangesSerializer(serializers.Serializer[Any]):
    """A page of changes of a rating, the newest first."""

    results = ChangeSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


GAME = "01926f3b-1d20-7c44-8e05-5a7f9b3c2d11"
POINT = {"game": GAME, "at": schema_examples.AT, "value": 1137}
BEFORE = {"value": 1000, "mu": 25.0, "sigma": 8.333333333333334, "games": 0, "provisional": True}
AFTER = {"value": 1137, "mu": 27.63523138347365, "sigma": 8.065506316323548, "games": 1, "provisional": True}
BOB = {**schema_examples.ANN, "id": "01926f3a-9d10-7a02-b1c7-2e4f6a8b0c9d", "name": "Bob"}
CHANGES = f"https://play.example.org/api/v1/players/{schema_examples.ANN['id']}/ratings/qwixx"
SHEET = {"sheet": "classic", "played": 3, "won": 2, "average": 61.3, "best": 84}
FIGURES = {"ruleset": "qwixx", "played": 3, "won": 2, "average": 61.3, "best": 84, "sheets": [SHEET]}
STATS_EXAMPLE = OpenApiExample(
    "Ann",
    {
        "player": schema_examples.ANN,
        "results": [{**FIGURES, "rating": {**AFTER, "history": [POINT], "changes": CHANGES}}],
    },
    response_only=True,
)
OPPONENT = {"player": BOB, "rank": 2, "before": BEFORE}
CHANGE = {**POINT, "model": "BradleyTerryPart/1", "rank": 1, "before": BEFORE, "after": AFTER, "opponents": [OPPONENT]}
CHANGES_EXAMPLE = OpenApiExample(
    "A first win", {"results": [CHANGE], "next": None, "previous": None}, response_only=True
)


class StatsView(APIView):
    @extend_schema(
        operation_id="readStats",
        tags=["players"],
        summary="Read a player's statistics per ruleset: played, won, average, best, rating with history",
        responses=StatsSerializer,
        examples=[STATS_EXAMPLE],
    )
    def get(self, request: Request, player_id: UUID) -> Response:
        player, results = profile.public_profile(player_id), figures_of(player_id, request)
        return private_response(StatsSerializer, {"player": player, "results": results})


def figures_of(player: UUID, request: Request) -> list[dict[str, Any]]:
    """The figures of a player as the caller may see them, with links to the changes of each rating."""
    figures = statistics.stats(player, identity(request).player)
    for each in figures:
        path = f"/api/v1/players/{player}/ratings/{each['ruleset']}"
        each["rating"]["changes"] = request.build_absolute_uri(path)
    return figures


class RatingChangesView(APIView):
    @extend_schema(
        operation_id="listRatingChanges",
        tags=["players"],
        summary="List the changes of a player's rating with their inputs, newest first",
        parameters=PAGES,
        responses=ChangesSerializer,
        examples=[CHANGES_EXAMPLE],
    )
    def get(self, request: Request, player_id: UUID, ruleset: str) -> Response:
        profile.public_profile(player_id)
        if ruleset not in extensions.current().rulesets:
            raise RequestRefused("not_found")
        changes = statistics.changes(player_id, ruleset)
        start = cursor(request.query_params, has_value=True)
        if start is not None and start[2] != player_id:
            raise RequestRefused("malformed", errors=[("?cursor", "wrong_format", "a cursor of this list")])
        page = paged(changes, limit(request.query_params), start)
        links: dict[str, str | None] = {"next": None, "previous": None}
        if page and older(changes, page[-1].games).exists():
            links["next"] = link(request, "after", page[-1].games, player_id)
        if page and newer(changes, page[0].games).exists():
            links["previous"] = link(request, "before", page[0].games, player_id)
        results = statistics.explained(page, identity(request).player)
        return private_response(ChangesSerializer, {"results": results, **links})


def paged(changes: QuerySet[RatingChange], limit: int, start: tuple[str, int, UUID] | None) -> list[RatingChange]:
    """A cursor names a change by its number in the player's rated games: the id of its game may be hidden."""
    if start is None:
        return list(changes[:limit])
    direction, number, _ = start
    if direction == "after":
        return list(older(changes, number)[:limit])
    return list(newer(changes, number).order_by("games")[:limit])[::-1]


def older(changes: QuerySet[RatingChange], number: int) -> QuerySet[RatingChange]:
    return changes.filter(games__lt=number)


def newer(changes: QuerySet[RatingChange], number: int) -> QuerySet[RatingChange]:
    return changes.filter(games__gt=number)
