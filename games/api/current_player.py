"""Who asks, in the wide lane."""

from rest_framework.request import Request

from players.sessions.identity import Identity


def identity(request: Request) -> Identity:
    """Whose token it is; only views that want one may ask."""
    if not isinstance(request.auth, Identity):
        raise TypeError("a view that asks who calls must not be open to everybody")
    return request.auth
