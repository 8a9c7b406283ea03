"""Views of players: guests, registration, profiles, deletion and data export."""

from uuid import UUID

from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.accounts import data_export, erasure, guests, profile, registration
from players.api import schema_examples
from players.api.authentication import identity
from players.api.responses import new_session_response, now, private_response
from players.api.serializers import (
    ChangeBody,
    ExportSerializer,
    GuestBody,
    MeSerializer,
    NewSessionSerializer,
    ProfileSerializer,
    RegisterBody,
)
from players.sessions.identity import Identity

DELETED = OpenApiResponse(description="Deleted: out of every game, logged out everywhere, personal data erased.")


class GuestsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "guests"

    @extend_schema(
        operation_id="createGuest",
        tags=["players"],
        summary="Create a guest and a token",
        request=GuestBody,
        responses={201: NewSessionSerializer},
        examples=schema_examples.GUEST,
    )
    def post(self, request: Request) -> Response:
        return new_session_response(guests.create_guest(now(), **GuestBody.read(request.data)))


class PlayersView(APIView):
    """The token of a guest is optional."""

    permission_classes = (AllowAny,)
    throttle_scope = "accounts"

    @extend_schema(
        operation_id="register",
        tags=["players"],
        summary="Create an account and a token; a guest who sends their token becomes the account and keeps everything",
        request=RegisterBody,
        responses={201: NewSessionSerializer},
        examples=schema_examples.REGISTER,
    )
    def post(self, request: Request) -> Response:
        data = registration.Registration(**RegisterBody.read(request.data))
        guest = request.auth if isinstance(request.auth, Identity) else None
        return new_session_response(registration.register(data, guest, get_language() or "", now()))


class MeView(APIView):
    @extend_schema(
        operation_id="readMe",
        tags=["players"],
        summary="Read my profile",
        responses=MeSerializer,
        examples=schema_examples.ME,
    )
    def get(self, request: Request) -> Response:
        return private_response(MeSerializer, profile.own_profile(identity(request).player))

    @extend_schema(
        operation_id="changeMe",
        tags=["players"],
        summary="Change my name or language",
        request=ChangeBody,
        responses=MeSerializer,
        examples=[*schema_examples.CHANGE, *schema_examples.ME],
    )
    def patch(self, request: Request) -> Response:
        profile.change(identity(request).player, **ChangeBody.read(request.data))
        return private_response(MeSerializer, profile.own_profile(identity(request).player))

    @extend_schema(
        operation_id="deleteMe",
        tags=["players"],
        summary="Delete my account; my games and their logs stay, and my seats show `Player`",
        responses={204: DELETED},
    )
    def delete(self, request: Request) -> Response:
        erasure.delete(identity(request).player, now())
        return Response(status=204)


class DataExportView(APIView):
    @extend_schema(
        operation_id="exportMe",
        tags=["players"],
        summary="Download all data that is stored about me",
        responses=ExportSerializer,
    )
    def get(self, request: Request) -> Response:
        player = identity(request).player
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{player}.json"'}
        return Response(data_export.export(player), headers=headers)


class PlayerView(APIView):
    @extend_schema(
        operation_id="readPlayer",
        tags=["players"],
        summary="Read a player's public profile",
        responses=ProfileSerializer,
        examples=schema_examples.PLAYER,
    )
    def get(self, _request: Request, player_id: UUID) -> Response:
        return private_response(ProfileSerializer, profile.public_profile(player_id))
