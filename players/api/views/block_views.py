"""Views of blocks and mutes; the other player is never notified."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.api import schema_examples
from players.api.pagination import PAGES, cursor, limit, link
from players.api.responses import private_response
from players.api.serializers import ProfilesSerializer
from players.api.token_authentication import identity
from players.sessions.directory import directory
from players.social import blocks
from players.social.models import Block, Mute

DONE = {204: OpenApiResponse(description="Done; it may have been done before.")}
LISTED: dict[str, Any] = {
    "tags": ["players"],
    "parameters": PAGES,
    "responses": ProfilesSerializer,
    "examples": schema_examples.PROFILES,
}


def list_page(kind: blocks.Kind, request: Request) -> Response:
    player, query = identity(request).player, request.query_params
    direction, position, _ = cursor(query, has_value=True) or ("after", None, None)
    rows = blocks.page(kind, player, limit(query), direction, position)
    profiles = directory.profiles_sync({row.other_id for row in rows})
    page: dict[str, Any] = {
        "results": [profiles[row.other_id]._asdict() for row in rows],
        "next": None,
        "previous": None,
    }
    for name, direction, row in (("next", "after", rows[-1]), ("previous", "before", rows[0])) if rows else ():
        if blocks.page(kind, player, 1, direction, row.pk):
            page[name] = link(request, direction, row.pk, row.other_id)
    return private_response(ProfilesSerializer, page)


class BlocksView(APIView):
    @extend_schema(operation_id="listBlocks", summary="List the players whom I block, newest first", **LISTED)
    def get(self, request: Request) -> Response:
        return list_page(Block, request)


class MutesView(APIView):
    @extend_schema(operation_id="listMutes", summary="List the players whom I mute, newest first", **LISTED)
    def get(self, request: Request) -> Response:
        return list_page(Mute, request)


class PairView(APIView):
    def get_throttles(self) -> list[Any]:
        """Pairing looks at the blocks of all that wait: adding them has a limit of its own."""
        self.throttle_scope = "blocks" if self.request.method == "PUT" else None
        return super().get_throttles()


class BlockView(PairView):
    @extend_schema(
        operation_id="blockPlayer",
        tags=["players"],
        summary="Block a player: no pairing, invitations or phrases between us",
        request=None,
        responses=DONE,
    )
    def put(self, request: Request, player_id: UUID) -> Response:
        blocks.put(Block, identity(request).player, player_id)
        return Response(status=204)

    @extend_schema(operation_id="unblockPlayer", tags=["players"], summary="Lift a block", responses=DONE)
    def delete(self, request: Request, player_id: UUID) -> Response:
        blocks.lift(Block, identity(request).player, player_id)
        return Response(status=204)


class MuteView(PairView):
    @extend_schema(
        operation_id="mutePlayer",
        tags=["players"],
        summary="Mute a player: I receive none of their phrases",
        request=None,
        responses=DONE,
    )
    def put(self, request: Request, player_id: UUID) -> Response:
        blocks.put(Mute, identity(request).player, player_id)
        return Response(status=204)

    @extend_schema(operation_id="unmutePlayer", tags=["players"], summary="Lift a mute", responses=DONE)
    def delete(self, request: Request, player_id: UUID) -> Response:
        blocks.lift(Mute, identity(request).player, player_id)
        return Response(status=204)
