"""Views of sessions: sign in, list devices, log devices out."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.accounts import registration
from players.api import schema_examples
from players.api.responses import new_session_response, now, private_response
from players.api.serializers import NewSessionSerializer, SessionsSerializer, SignInBody
from players.api.throttling import address_of
from players.api.token_authentication import identity
from players.sessions import lifecycle

LOGGED_OUT = OpenApiResponse(description="Logged out: every process refuses the token from now on.")


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
        operation_id="createSession",
        tags=["sessions"],
        summary="Sign in and get a token; 5 wrong passwords in a minute lock the account for the rest of it",
        request=SignInBody,
        responses={201: NewSessionSerializer},
        examples=schema_examples.SIGN_IN,
        auth=[{}],  # type: ignore[list-item]  # an empty security requirement: no token
    )
    def post(self, request: Request) -> Response:
        body = {"device": "", **SignInBody.read(request.data)}
        new = registration.sign_in(**body, address=address_of(request), now=now())
        response = new_session_response(new)
        response["Location"] = f"/api/v1/sessions/{new.session}"
        return response

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
        operation_id="revokeCurrentSession",
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
