"""Players and their sessions over REST; each call is read, handed to a use case and answered."""

from typing import Any
from uuid import UUID

from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.accounts import data_export, erasure, profile, registration
from players.api import schema_examples
from players.api.authentication import identity
from players.api.responses import answer, now, opened_answer
from players.api.serializers import (
    ChangeBody,
    ExportSerializer,
    GuestBody,
    MeSerializer,
    OpenedSerializer,
    ProfileSerializer,
    RegisterBody,
    SessionsSerializer,
    SignInBody,
)
from players.api.throttling import address_of
from players.sessions import sessions
from players.sessions.identity import Identity

GONE = OpenApiResponse(description="Logged out: the token fails from now on, in every process.")
DELETED = OpenApiResponse(description="Deleted: resigned from every game, logged out everywhere, personal data gone.")


class GuestsView(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "guests"

    @extend_schema(
        operation_id="createGuest",
        tags=["players"],
        summary="A guest and a token: one call from install to play",
        request=GuestBody,
        responses={201: OpenedSerializer},
        examples=schema_examples.GUEST,
    )
    def post(self, request: Request) -> Response:
        return opened_answer(sessions.make_guest(now(), **GuestBody.read(request.data)))


class PlayersView(APIView):
    """A token is welcome and not needed."""

    permission_classes = (AllowAny,)
    throttle_scope = "accounts"

    @extend_schema(
        operation_id="register",
        tags=["players"],
        summary="An account and a token; with a guest's token that guest becomes the account and keeps everything",
        request=RegisterBody,
        responses={201: OpenedSerializer},
        examples=schema_examples.REGISTER,
    )
    def post(self, request: Request) -> Response:
        details = registration.Details(**RegisterBody.read(request.data))
        guest = request.auth if isinstance(request.auth, Identity) else None
        return opened_answer(registration.register(details, guest, get_language() or "", now()))


class MeView(APIView):
    @extend_schema(
        operation_id="readMe",
        tags=["players"],
        summary="My profile",
        responses=MeSerializer,
        examples=schema_examples.ME,
    )
    def get(self, request: Request) -> Response:
        return answer(MeSerializer, profile.own(identity(request).player))

    @extend_schema(
        operation_id="changeMe",
        tags=["players"],
        summary="Change my name or language",
        request=ChangeBody,
        responses=MeSerializer,
        examples=[*schema_examples.CHANGE, *schema_examples.ME],
    )
    def patch(self, request: Request) -> Response:
        sessions.change(identity(request).player, **ChangeBody.read(request.data))
        return answer(MeSerializer, profile.own(identity(request).player))

    @extend_schema(
        operation_id="deleteMe",
        tags=["players"],
        summary="Delete my account: games and their logs stay whole, and my seats show `Player`",
        responses={204: DELETED},
    )
    def delete(self, request: Request) -> Response:
        erasure.delete(identity(request).player, now())
        return Response(status=204)


class ExportView(APIView):
    @extend_schema(
        operation_id="exportMe",
        tags=["players"],
        summary="All that is stored about me",
        responses=ExportSerializer,
    )
    def get(self, request: Request) -> Response:
        player = identity(request).player
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{player}.json"'}
        return Response(data_export.of(player), headers=headers)


class PlayerView(APIView):
    @extend_schema(
        operation_id="readPlayer",
        tags=["players"],
        summary="A player's public profile",
        responses=ProfileSerializer,
        examples=schema_examples.PLAYER,
    )
    def get(self, _request: Request, player_id: UUID) -> Response:
        return answer(ProfileSerializer, profile.of(player_id))


class SessionsView(APIView):
    def get_authenticators(self) -> list[Any]:
        """Who signs in has no token, or one that no longer works."""
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
        summary="A token for one more device; after 5 wrong passwords in a minute nobody gets in for the rest of it",
        request=SignInBody,
        responses={201: OpenedSerializer},
        examples=schema_examples.SIGN_IN,
        auth=[{}],  # type: ignore[list-item]  # requirements are taken, too: this is that of nothing
    )
    def post(self, request: Request) -> Response:
        body = {"device": "", **SignInBody.read(request.data)}
        return opened_answer(registration.sign_in(**body, address=address_of(request), now=now()))

    @extend_schema(
        operation_id="listSessions",
        tags=["sessions"],
        summary="My devices",
        responses=SessionsSerializer,
        examples=schema_examples.SESSIONS,
    )
    def get(self, request: Request) -> Response:
        rows = sessions.sessions_of(identity(request).player).values("id", "device", "created_at", "last_seen_at")
        current = identity(request).session
        results = [{**row, "current": row["id"] == current} for row in rows]
        return answer(SessionsSerializer, {"results": results})

    @extend_schema(
        operation_id="revokeAllSessions", tags=["sessions"], summary="Log all my devices out", responses={204: GONE}
    )
    def delete(self, request: Request) -> Response:
        sessions.revoke_all(identity(request).player, now())
        return Response(status=204)


class CurrentSessionView(APIView):
    @extend_schema(
        operation_id="revokeThisSession",
        tags=["sessions"],
        summary="Log this device out",
        responses={204: GONE},
    )
    def delete(self, request: Request) -> Response:
        sessions.log_out(identity(request).session, now())
        return Response(status=204)


class SessionView(APIView):
    @extend_schema(
        operation_id="revokeSession", tags=["sessions"], summary="Log one of my devices out", responses={204: GONE}
    )
    def delete(self, request: Request, session_id: UUID) -> Response:
        sessions.revoke(identity(request).player, session_id, now())
        return Response(status=204)
