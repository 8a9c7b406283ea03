"""Views of players: guests, registration, profiles, deletion and data export."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.accounts import data_export, erasure, guests, profile, registration, registration_keys
from players.api import schema_examples
from players.api.arrival import arrived_at
from players.api.responses import new_session_response, now, private_response
from players.api.serializers import (
    ChangeBody,
    DataExportSerializer,
    GuestBody,
    MeSerializer,
    NewSessionSerializer,
    ProfileSerializer,
    RegisterBody,
)
from players.api.token_authentication import identity
from players.sessions.identity import Identity
from players.sessions.lifecycle import NewSession

KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 22, "maxLength": 64},
    OpenApiParameter.HEADER,
    description="22 to 64 random characters, known to this client only. For 24 hours the same key and body give the "
    "same player again, with a fresh token in place of the one given before.",
)
DELETED = OpenApiResponse(description="Deleted: out of every game, logged out everywhere, personal data erased.")


class GuestsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "guests"

    @extend_schema(
        operation_id="createGuest",
        tags=["players"],
        summary="Create a guest and a token",
        parameters=[KEY],
        request=GuestBody,
        responses={201: NewSessionSerializer},
        examples=schema_examples.GUEST,
    )
    def post(self, request: Request) -> Response:
        body, moment = GuestBody.read(request.data), arrived_at(request)
        return registered(request, body, moment, lambda: guests.create_guest(moment, **body))


class PlayersView(APIView):
    """The token of a guest is optional."""

    permission_classes = (AllowAny,)
    throttle_scope = "accounts"

    @extend_schema(
        operation_id="createAccount",
        tags=["players"],
        summary="Create an account and a token; a guest who sends their token becomes the account and keeps everything",
        parameters=[KEY],
        request=RegisterBody,
        responses={201: NewSessionSerializer},
        examples=schema_examples.REGISTER,
    )
    def post(self, request: Request) -> Response:
        body, moment, language = RegisterBody.read(request.data), arrived_at(request), get_language() or ""
        data, guest = registration.Registration(**body), request.auth if isinstance(request.auth, Identity) else None
        return registered(request, body, moment, lambda: registration.register(data, guest, language, moment))


def registered(request: Request, body: dict[str, Any], moment: datetime, work: Callable[[], NewSession]) -> Response:
    """Register once for an idempotency key."""
    caller = request.auth.player if isinstance(request.auth, Identity) else None
    key, device = request.headers.get("Idempotency-Key"), body.get("device", "")
    keyed = registration_keys.read_request(key, request.path, request.data, caller, device)
    new, is_replay = registration_keys.once(keyed, moment, work)
    return new_session_response(new, is_replay=is_replay)


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
        responses=DataExportSerializer,
        examples=schema_examples.EXPORT,
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
