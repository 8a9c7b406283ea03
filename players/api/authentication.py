"""Token authentication for DRF."""

from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from players.sessions.authentication import authenticate_sync
from players.sessions.identity import Identity


@dataclass(frozen=True, slots=True)
class Caller:
    """As much of a user as permissions look at."""

    id: UUID
    is_staff: bool
    is_authenticated: ClassVar = True
    is_anonymous: ClassVar = False
    is_active: ClassVar = True

    @property
    def pk(self) -> UUID:
        return self.id


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Caller, Identity] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        identity = authenticate_sync(header).identity
        return Caller(identity.player, identity.is_staff), identity

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  (DRF's own signature)
        return 'Bearer realm="qwixx"'


def identity(request: Request) -> Identity:
    """Whose call it is, in a view that only those with a token get to."""
    assert isinstance(request.auth, Identity)  # noqa: S101  (the permission has seen to it)
    return request.auth
