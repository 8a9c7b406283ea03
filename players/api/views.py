"""Players and their sessions over REST; each call is read, handed to a use case and answered."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players import profile, sessions
from players.api import examples
from players.api.authentication import identity
from players.api.serializers import (
    ChangeBody,
    GuestBody,
    MeSerializer,
    OpenedSerializer,
    ProfileSerializer,
    SessionsSerializer,
)

GONE = OpenApiResponse(description="Logged out: the token fails from now on, in every process.")


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251  (a door)


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
        examples=examples.GUEST,
    )
    def post(self, request: Request) -> Response:
        opened = sessions.make_guest(now(), **GuestBody.read(request.data))
        return answer(OpenedSerializer, {"player": opened.player._asdict(), "token": opened.token}, 201)


class MeView(APIView):
    @extend_schema(
        operation_id="readMe", tags=["players"], summary="My profile", responses=MeSerializer, examples=examples.ME
    )
    def get(self, request: Request) -> Response:
        return answer(MeSerializer, profile.own(identity(request).player))

    @extend_schema(
        operation_id="changeMe",
        tags=["players"],
        summary="Change my name or language",
        request=ChangeBody,
        responses=MeSerializer,
        examples=[*examples.CHANGE, *examples.ME],
    )
    def patch(self, request: Request) -> Response:
        sessions.change(identity(request).player, **ChangeBody.read(request.data))
        return answer(MeSerializer, profile.own(identity(request).player))


class PlayerView(APIView):
    @extend_schema(
        operation_id="readPlayer",
        tags=["players"],
        summary="A player's public profile",
        responses=ProfileSerializer,
        examples=examples.PLAYER,
    )
    def get(self, _request: Request, player_id: UUID) -> Response:
        return answer(ProfileSerializer, profile.of(player_id))


class SessionsView(APIView):
    @extend_schema(
        operation_id="listSessions",
        tags=["sessions"],
        summary="My devices",
        responses=SessionsSerializer,
        examples=examples.SESSIONS,
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


def answer(serializer: type[Any], content: dict[str, Any], status: int = 200) -> Response:
    """What is about one person is kept by no cache."""
    return Response(serializer(content).data, status, headers={"Cache-Control": "no-store"})
