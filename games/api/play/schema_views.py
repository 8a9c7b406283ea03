"""Describes the hot routes for the OpenAPI document, and refuses their wrong methods; Starlette serves the rest."""

from typing import NoReturn
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.views import APIView

from games.api import examples, list_filters
from games.api.play.long_poll import LONGEST_WAIT_S, MOST_EVENTS
from games.api.schema import COMMAND, IF_MATCH, SHARE, described
from games.game.json import view_schemas
from games.game.json.action_schemas import ActionUnion

VERSION = OpenApiParameter("version", int, description="The game as it was at this version.")
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The version the client has; 304 if it is the newest."
)
AFTER = OpenApiParameter("after", int, description="Only events after this version.")
LIMIT = OpenApiParameter(
    "limit", {"type": "integer", "minimum": 1, "maximum": MOST_EVENTS}, description="Events; 100 without it."
)
WAIT = OpenApiParameter(
    "wait",
    {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT_S},
    description="Wait so many seconds for the next event.",
)
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID", str, OpenApiParameter.HEADER, description="The last version received."
)
TICKET = OpenApiParameter("ticket", str, description="In place of the header: from `POST /api/v1/stream-tickets`.")


def _served_by_starlette(game_id: UUID | str) -> NoReturn:
    raise RuntimeError(f"a hot route of game {game_id} was routed to Django")


class GameView(APIView):
    @described(
        "readGame",
        "Read a game as the caller may see it",
        view_schemas.GameSchema,
        parameters=(VERSION, SHARE, IF_NONE_MATCH),
    )
    def get(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)


class ActionsView(APIView):
    @described(
        "playAction",
        "Play an action; every entry of `options` is one",
        view_schemas.Acted,
        body=ActionUnion,
        parameters=COMMAND,
        example={"type": "mark", "row": "red", "number": 8, "roll": 7, "phase": "white"},
    )
    def post(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)


class PreviewView(APIView):
    @described(
        "previewAction",
        "Preview what an action would do to the caller's own sheet",
        view_schemas.Preview,
        body=ActionUnion,
        parameters=(IF_MATCH, VERSION),
        example={"type": "mark", "row": "red", "number": 8, "roll": 7, "phase": "white"},
        answer_example={
            "marks": [{"type": "cell_marked", "seat": 0, "row": "red", "number": 8, "phase": "white"}],
            "points": {"before": 26, "after": 30},
        },
    )
    def post(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)


class EventsView(APIView):
    @described(
        "listEvents",
        "List the events after a version; with `wait`, wait for one",
        view_schemas.Events,
        parameters=(AFTER, LIMIT, WAIT),
    )
    def get(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)


class StreamView(APIView):
    @described(
        "streamEvents",
        "Stream the events of a game as Server-Sent Events",
        parameters=(AFTER, LAST_EVENT_ID, TICKET),
        texts={"text/event-stream": examples.EVENT_STREAM},
    )
    def get(self, _request: Request, game_id: UUID) -> NoReturn:
        _served_by_starlette(game_id)


class MyGamesView(APIView):
    @described(
        "streamMyGames",
        "Stream my finished games as NDJSON, in the order of their ends",
        parameters=tuple(list_filters.OF_STREAM.values()),
        texts={"application/x-ndjson": examples.FINISHED_GAMES},
        tag="players",
    )
    def get(self, _request: Request) -> NoReturn:
        _served_by_starlette("of the caller")
