"""Views of players and of their sessions."""

from typing import Any
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
    SessionsSerializer,
    SignInBody,
)
from players.api.throttling import address_of
from players.sessions import lifecycle
from players.sessions.identity import Identity

LOGGED_OUT = OpenApiResponse(description="Logged out: every process refuses the token from now on.")
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


class SessionsView(APIView):
    def get_authenticators(self) -> list[Any]:
        """A client that signs in has no valid token."""
        return [] if self._is_sign_in() else super().get_authenticators()

    def get_permissions(self) -> list[Any]:
        return [AllowAny()] if self._is_sign_in() else list(super().get_permissions())

    def get_throttles(self) -> list[Any]:
        self.throttle_scope = "sessions" if self._is_sign_in() else None
        return super().get_throttles()

    def _is_sign_in(self) -> bool:
        return self.request is not None and self.request.method == "POST"

    @extend_schema(
        operation_id="signIn",
        tags=["sessions"],
        summary="Sign in and get a token; 5 wrong passwords in a minute lock the account for the rest of it",
        request=SignInBody,
        responses={201: NewSessionSerializer},
        examples=schema_examples.SIGN_IN,
        auth=[{}],  # type: ignore[list-item]  # an empty security requirement: no token
    )
    def post(self, request: Request) -> Response:
        body = {"device": "", **SignInBody.read(request.data)}
        return new_session_response(registration.sign_in(**body, address=address_of(request), now=now()))

    @extend_schema(
        operation_id="listSessions",
        tags=["sessions"],
        summary="List my devices",
        responses=SessionsSerializer,
        examples=schema_examples.SESSIONS,
    )
    def get(self, request: Request) -> Response:
        rows = lifecycle.active_sessions(identity(request).player).values("id", "device", "created_at", "last_seen_at")
        current = identity(request).session
        results = [{**row, "current": row["id"] == current} for row in rows]
        return private_response(SessionsSerializer, {"results": results})

    @extend_schema(
        operation_id="revokeAllSessions",
        tags=["sessions"],
        summary="Log all my devices out",
        responses={204: LOGGED_OUT},
    )
    def delete(self, request: Request) -> Response:
        lifecycle.revoke_all(identity(request).player, now())
        return Response(status=204)


class CurrentSessionView(APIView):
    @extend_schema(
        operation_id="revokeThisSession",
        tags=["sessions"],
        summary="Log this device out",
        responses={204: LOGGED_OUT},
    )
    def delete(self, request: Request) -> Response:
        lifecycle.log_out(identity(request).session, now())
        return Response(status=204)


class SessionView(APIView):
    @extend_schema(
        operation_id="revokeSession",
        tags=["sessions"],
        summary="Log one of my devices out",
        responses={204: LOGGED_OUT},
    )
    def delete(self, request: Request, session_id: UUID) -> Response:
        lifecycle.revoke(identity(request).player, session_id, now())
        return Response(status=204)
