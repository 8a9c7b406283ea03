"""The caller of a DRF view."""

from rest_framework.request import Request

from players.api.throttling import address_of
from players.database.ids import text_of
from players.limits.fair_queue import Client
from players.sessions.identity import Identity


def identity(request: Request) -> Identity:
    """The identity behind the token; only for views that require one."""
    if not isinstance(request.auth, Identity):
        raise TypeError("a view that needs the caller must require a token")
    return request.auth


def client(request: Request) -> Client:
    """The caller as a client of a `FairQueue`."""
    return Client(address_of(request), text_of(identity(request).session))
