"""The view of all that the first screen of an app shows."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import clock
from games.api import examples
from games.api.conditional_requests import is_not_modified
from games.api.current_player import identity
from games.api.schema import described
from games.api.views import invitation_views, matchmaking_views
from games.game.events import canonical, stamp
from games.game.json import view_schemas
from games.log.reads import game_filters
from games.log.reads.game_filters import GameFilters
from games.log.reads.summaries import summaries
from games.matchmaking import invitations, tickets
from players.accounts import profile
from players.api.serializers import MeSerializer
from players.api.views.statistics_views import FiguresSerializer, figures_of
from players.database.transactions import read_snapshot

Json = dict[str, Any]

SHOWN = 20  # entries of each list
LISTS: dict[str, tuple[str, GameFilters]] = {
    "waiting": ("/api/v1/games?waiting=me", GameFilters(waiting=True)),
    "playing": ("/api/v1/games?mine=true&status=playing", GameFilters(mine=True, status=("playing",))),
    "open": ("/api/v1/games?mine=true&status=open", GameFilters(mine=True, status=("open",))),
}
ADDRESSES = {**{name: address for name, (address, _) in LISTS.items()}, "invitations": "/api/v1/invitations"}
TAG = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The tag the client has; 304 if nothing has changed."
)


def no_version() -> Mapping[str, str]:
    raise NotImplementedError("the URLs of the service give the version to this view")


class HomeView(APIView):
    service_version: Callable[[], Mapping[str, str]] = staticmethod(no_version)

    @described(
        "readHome",
        "Read all that the first screen of an app shows",
        view_schemas.Home,
        parameters=(TAG,),
        tag="players",
        answer_example=examples.HOME,
    )
    def get(self, request: Request) -> Response:
        """The tag covers everything but the time of the response."""
        player = identity(request).player
        with read_snapshot():
            content = {**content_for(player, request), "version": self.service_version()}
        if content["queue"]:
            tickets.mark_present([player], clock.now())  # as reading the ticket does
        tag = f'"{sha256(canonical(content)).hexdigest()[:32]}"'
        headers = {"ETag": f"W/{tag}", "Cache-Control": "private, no-cache"}
        if is_not_modified(request.headers.get("If-None-Match"), tag):
            return Response(status=304, headers=headers)
        return Response({**content, "server_time": stamp(clock.now())}, headers=headers)


def content_for(player: UUID, request: Request) -> Json:
    games = {
        name: list(game_filters.seats(filters, player).order_by("-game_id")[: SHOWN + 1])
        for name, (_, filters) in LISTS.items()
    }
    invited, ticket = list(invitations.pending(player).order_by("-pk")[: SHOWN + 1]), tickets.queued(player)
    lists: dict[str, list[Any]] = {**games, "invitations": invited}
    return {
        "player": MeSerializer(profile.own_profile(player)).data,
        **lists_of_games(games, player),
        "invitations": invitation_views.views(invited[:SHOWN]),
        "queue": matchmaking_views.view(ticket) if ticket else None,
        "stats": FiguresSerializer(figures_of(player, request), many=True).data,
        "more": {
            name: request.build_absolute_uri(address) if len(lists[name]) > SHOWN else None
            for name, address in ADDRESSES.items()
        },
    }


def lists_of_games(games: Mapping[str, list[Any]], player: UUID) -> Json:
    """The summaries of each list; one query for the names of all players."""
    shown = {name: rows[:SHOWN] for name, rows in games.items()}
    found = iter(summaries([row for rows in shown.values() for row in rows], player))
    return {name: [next(found) for _ in rows] for name, rows in shown.items()}
