"""Authentication of REST requests by the token in the `Authorization` header."""

import re
from dataclasses import dataclass
from functools import cache
from typing import ClassVar
from uuid import UUID

from django.utils import translation
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from players.languages.accept_language import LOCALE
from players.sessions import scopes
from players.sessions.authentication import authenticate_sync
from players.sessions.identity import Identity
from players.telemetry import log_context


@dataclass(frozen=True, slots=True)
class RequestUser:
    """The attributes of a Django user that permissions read, without a query."""

    id: UUID
    is_staff: bool
    is_authenticated: ClassVar = True
    is_anonymous: ClassVar = False
    is_active: ClassVar = True

    @property
    def pk(self) -> UUID:
        return self.id


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[RequestUser, Identity] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        identity = authenticate_sync(header, operation_of(request)).identity
        log_context.add(player=str(identity.player))
        if identity.locale:
            request.META.get("asgi.scope", {})[LOCALE] = identity.locale
            translation.activate(identity.locale)  # until the middleware of languages ends the request
        return RequestUser(identity.player, identity.is_staff), identity

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  (DRF's signature)
        return 'Bearer realm="qwixx"'


def operation_of(request: Request) -> str:
    """The operation that a request is for, as the table of scopes names it."""
    match, method = request.resolver_match, request.method or ""
    if method == "OPTIONS" or not hasattr(request.parser_context.get("view"), method.lower()):
        return scopes.NO_OPERATION
    return f"{'GET' if method == 'HEAD' else method} {path_template(match.route)}" if match else ""


@cache
def path_template(route: str) -> str:
    """
    >>> path_template("api/v1/games/<uuid:game_id>/seats/<int:seat>")
    '/games/{game_id}/seats/{seat}'
    """
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", "/" + route).removeprefix("/api/v1")


def identity(request: Request) -> Identity:
    """The caller's identity, in a view that requires a token."""
    assert isinstance(request.auth, Identity)  # noqa: S101  (the permission class has checked it)
    return request.auth
