"""The view of leaderboards."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players import extensions
from players.api import schema_examples
from players.api.pagination import PAGES, chosen, cursor, limit, link
from players.api.responses import now, private_response
from players.api.serializers import ProfileSerializer
from players.api.token_authentication import identity
from players.database.refusal import RequestRefused
from players.ratings import leaderboard_pages, periods
from players.ratings.game_results import ALL_SHEETS
from players.ratings.leaderboard_cache import METRICS
from players.ratings.leaderboard_pages import LeaderboardCursor, LeaderboardEntry, LeaderboardPage, LeaderboardReader
from players.sessions.directory import directory

YEARS = range(1970, 9999)
RATING = "rating"


class EntrySerializer(serializers.Serializer[Any]):
    """A player's rank; equal values share a rank."""

    rank = serializers.IntegerField()
    player = ProfileSerializer()
    value = serializers.IntegerField()


class LeaderboardSerializer(serializers.Serializer[Any]):
    """`from` and `to` are null for all time."""

    results = EntrySerializer(many=True)
    to = serializers.DateTimeField(allow_null=True, help_text="The end of the period, which does not belong to it.")
    you = EntrySerializer(allow_null=True, help_text="The caller's own rank; null: not on this leaderboard.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)

    def get_fields(self) -> dict[str, Any]:
        start = serializers.DateTimeField(allow_null=True, help_text="The first instant of the period, in UTC.")
        return {**super().get_fields(), "from": start}  # `from` is a keyword of Python


PARAMETERS = [
    OpenApiParameter("ruleset", str, OpenApiParameter.PATH, description="As in `GET /rulesets`."),
    OpenApiParameter("metric", str, OpenApiParameter.PATH, enum=METRICS),
    OpenApiParameter("sheet", str, description="Only games on this sheet; not for `rating`, which is one per ruleset."),
    OpenApiParameter("period", str, enum=(periods.ALL, "day", "week", "month"), description="Default: `all`."),
    OpenApiParameter("at", date, description="Any day of the period, in UTC; default: today. Weeks begin on Monday."),
    OpenApiParameter("around", str, enum=("me",), description="The page with the caller in the middle."),
    *PAGES,
]
EXAMPLE = OpenApiExample(
    "This week",
    {
        "results": [{"rank": 1, "player": schema_examples.ANN, "value": 7}],
        "from": "2026-01-05T00:00:00Z",
        "to": "2026-01-12T00:00:00Z",
        "you": {"rank": 1, "player": schema_examples.ANN, "value": 7},
        "next": None,
        "previous": None,
    },
    response_only=True,
)


class LeaderboardView(APIView):
    @extend_schema(
        operation_id="readLeaderboard",
        tags=["leaderboards"],
        summary="Read a leaderboard of rated games by rating, wins, best score or points",
        parameters=PARAMETERS,
        responses=LeaderboardSerializer,
        examples=[EXAMPLE],
    )
    def get(self, request: Request, ruleset: str, metric: str) -> Response:
        if ruleset not in extensions.current().rulesets or metric not in METRICS:
            raise RequestRefused("not_found")
        query = request.query_params
        period = chosen(query, "period", (periods.ALL, "day", "week", "month"))
        day = day_of(query) or now().astimezone(UTC).date()
        reader = leaderboard_pages.reader(ruleset, period, day, metric, sheet_of(query, ruleset, metric))
        page = read_page(reader, query, identity(request).player)
        start, end = periods.bounds(period, day)
        return private_response(LeaderboardSerializer, {**shown(request, page, day), "from": start, "to": end})


def day_of(query: Mapping[str, str]) -> date | None:
    if "at" not in query:
        return None
    try:
        if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", query["at"]):
            raise ValueError
        day = datetime.fromisoformat(query["at"]).date()
        if day.year not in YEARS:
            raise ValueError
    except ValueError:
        raise RequestRefused("malformed", errors=[("?at", "wrong_format", "a date such as `2026-01-31`")]) from None
    return day


def sheet_of(query: Mapping[str, str], ruleset: str, metric: str) -> str:
    if "sheet" not in query:
        return ALL_SHEETS
    if metric == RATING:
        raise RequestRefused("malformed", errors=[("?sheet", "not_one_of", "no sheet: a rating is one per ruleset")])
    return chosen(query, "sheet", extensions.current().rulesets[ruleset])


def read_page(reader: LeaderboardReader | None, query: Mapping[str, str], me: UUID) -> LeaderboardPage:
    wanted, start = limit(query), cursor(query, has_value=True)
    is_around = "around" in query and bool(chosen(query, "around", ("me",)))
    if reader is None:
        return LeaderboardPage([])
    if start is None:
        return reader.page(me, wanted, around_me=is_around)
    direction, value, player = start
    read = reader.after if direction == "after" else reader.before
    return read(LeaderboardCursor(value, player), me, wanted)


def shown(request: Request, page: LeaderboardPage, day: date) -> dict[str, Any]:
    profiles = directory.profiles_sync({entry.player for entry in [*page.entries, page.you] if entry})

    def entry(one: LeaderboardEntry | None) -> dict[str, Any] | None:
        return {**one._asdict(), "player": profiles[one.player]._asdict()} if one else None

    at = day.isoformat()
    return {
        "results": [entry(one) for one in page.entries],
        "you": entry(page.you),
        "next": link(request, "after", *page.after, at=at) if page.after else None,
        "previous": link(request, "before", *page.before, at=at) if page.before else None,
    }
