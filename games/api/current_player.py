"""The caller of a DRF view."""

from rest_framework.request import Request

from players.sessions.identity import Identity


def identity(request: Request) -> Identity:
    """The identity behind the token; only for views that require one."""
    if not isinstance(request.auth, Identity):
        raise TypeError("a view that needs the caller must require a token")
    return request.auth
