"""The rate limits of DRF views: a view may set `throttle_scope`; other views count reads and changes separately."""

import time
from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from players.database.refusal import RequestRefused
from players.limits.addresses import address, address_key
from players.limits.rate_limits import LIMITS, SPENT, limit_for, limits
from players.sessions.identity import Identity

if TYPE_CHECKING:  # an import cycle: DRF's settings name this module
    from rest_framework.views import APIView


class Throttle(BaseThrottle):
    def allow_request(self, request: Request, view: "APIView") -> bool:
        default = "reads" if request.method in SAFE_METHODS else "others"
        scope = getattr(view, "throttle_scope", None) or default
        is_bot = isinstance(request.auth, Identity) and request.auth.is_bot
        scope = limit_for(scope, is_bot=is_bot)
        spent = limits.spend(scope, key(scope, request), time.monotonic())
        request.META.get("asgi.scope", {})[SPENT] = spent
        if spent.retry_after is not None:
            raise RequestRefused("too_many_requests", retry_after=spent.retry_after)
        return True


def key(scope: str, request: Request) -> str:
    """The key of the bucket, the same in every adapter; a client without a token is counted by its address."""
    per = LIMITS[scope].per
    if per == "address" or not isinstance(request.auth, Identity):
        return address_of(request)
    return str(request.auth.player if per == "player" else request.auth.session)


def address_of(request: Request) -> str:
    """The client's address as limits count it."""
    proxies = getattr(settings, "NUM_PROXIES", 0)
    peer, forwarded_for = request.META.get("REMOTE_ADDR") or "", request.META.get("HTTP_X_FORWARDED_FOR", "")
    return address_key(address(peer, forwarded_for, proxies))
