"""Authentication of REST requests by the token in the `Authorization` header."""

from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from players.sessions.authentication import authenticate_sync
from players.sessions.identity import Identity


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
        identity = authenticate_sync(header).identity
        return RequestUser(identity.player, identity.is_staff), identity

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  (DRF's signature)
        return 'Bearer realm="qwixx"'


def identity(request: Request) -> Identity:
    """The caller's identity, in a view that requires a token."""
    assert isinstance(request.auth, Identity)  # noqa: S101  (the permission class has checked it)
    return request.auth
