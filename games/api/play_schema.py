"""Describes the hot routes for the OpenAPI document, and refuses their wrong methods; Starlette serves the rest."""

from typing import NoReturn
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.views import APIView

from games.api.schema import COMMAND, described
from games.game import view_schemas

VERSION = OpenApiParameter("version", int, description="The game as it was at this version.")
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The version the client has; 304 if it is the newest."
)
DRY_RUN = OpenApiParameter(
    "dry_run", bool, description="Return what the action would do to the caller's own sheet, and append nothing."
)
AFTER = OpenApiParameter("after", int, description="Only events after this version.")
LIMIT = OpenApiParameter("limit", int, description="1 to 1000; 100 without it.")
WAIT = OpenApiParameter("wait", int, description="Up to 30: wait so many seconds for the next event.")
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID", str, OpenApiParameter.HEADER, description="The last version received."
)
TICKET = OpenApiParameter("ticket", str, description="In place of the header: from `POST /api/v1/stream-tickets`.")


def _served_by_starlette(game_id: UUID) -> NoReturn:
    raise RuntimeError(f"a hot route of game {game_id} was routed to Django")


class GameView(APIView):
    @described(
        "readGame", "A game as the caller may see it", view_schemas.GameSchema, parameters=(VERSION, IF_NONE_MATCH)
    )
    def get(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)


class ActionsView(APIView):
    @described(
        "act",
        "One action; every option of the game is one, ready to be posted as it is",
        view_schemas.Acted,
        view_schemas.Preview,
        body=view_schemas.Action,
        parameters=(*COMMAND, DRY_RUN),
        example={"type": "mark", "row": "red", "number": 8, "roll": 7, "phase": "white"},
    )
    def post(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)


class EventsView(APIView):
    @described("listEvents", "The events after a version", view_schemas.Events, parameters=(AFTER, LIMIT, WAIT))
    def get(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)


class StreamView(APIView):
    @described(
        "streamEvents",
        "The same as Server-Sent Events, then live; `id:` is the version",
        parameters=(AFTER, LAST_EVENT_ID, TICKET),
        media_type="text/event-stream",
    )
    def get(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)
