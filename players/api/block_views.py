"""Whom a player blocks or mutes, over REST; the others are told nothing of it."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.api import schema_examples
from players.api.authentication import identity
from players.api.pagination import PAGES, cursor, limit, link
from players.api.responses import answer
from players.api.serializers import ProfilesSerializer
from players.models import Block, Mute
from players.sessions.directory import directory
from players.social import blocks

WAYS = ("next", "previous")
DONE = {204: OpenApiResponse(description="Done, whether or not it was so before.")}
LISTED: dict[str, Any] = {
    "tags": ["players"],
    "parameters": PAGES,
    "responses": ProfilesSerializer,
    "examples": schema_examples.PROFILES,
}


def listed(kind: blocks.Kind, request: Request) -> Response:
    player, query = identity(request).player, request.query_params
    way, mark, _ = cursor(query, has_value=True) or ("after", None, None)
    rows = blocks.page(kind, player, limit(query), way, mark)
    profiles = directory.profiles_sync({row.other_id for row in rows})
    shown: dict[str, Any] = {"results": [profiles[row.other_id]._asdict() for row in rows], **dict.fromkeys(WAYS)}
    for name, way, row in (("next", "after", rows[-1]), ("previous", "before", rows[0])) if rows else ():
        if blocks.page(kind, player, 1, way, row.pk):
            shown[name] = link(request, way, row.pk, row.other_id)
    return answer(ProfilesSerializer, shown)


class BlocksView(APIView):
    @extend_schema(operation_id="listBlocks", summary="Whom I block, the newest first", **LISTED)
    def get(self, request: Request) -> Response:
        return listed(Block, request)


class MutesView(APIView):
    @extend_schema(operation_id="listMutes", summary="Whose phrases I do not hear, the newest first", **LISTED)
    def get(self, request: Request) -> Response:
        return listed(Mute, request)


class BlockView(APIView):
    @extend_schema(
        operation_id="putBlock",
        tags=["players"],
        summary="Never be paired with this player, invited by him or spoken to by him",
        request=None,
        responses=DONE,
    )
    def put(self, request: Request, player_id: UUID) -> Response:
        blocks.put(Block, identity(request).player, player_id)
        return Response(status=204)

    @extend_schema(operation_id="liftBlock", tags=["players"], summary="Lift a block", responses=DONE)
    def delete(self, request: Request, player_id: UUID) -> Response:
        blocks.lift(Block, identity(request).player, player_id)
        return Response(status=204)


class MuteView(APIView):
    @extend_schema(
        operation_id="putMute", tags=["players"], summary="Hear no phrase of this player", request=None, responses=DONE
    )
    def put(self, request: Request, player_id: UUID) -> Response:
        blocks.put(Mute, identity(request).player, player_id)
        return Response(status=204)

    @extend_schema(operation_id="liftMute", tags=["players"], summary="Lift a mute", responses=DONE)
    def delete(self, request: Request, player_id: UUID) -> Response:
        blocks.lift(Mute, identity(request).player, player_id)
        return Response(status=204)
