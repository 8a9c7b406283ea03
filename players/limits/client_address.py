"""The address of an ASGI client, as rate limits and budgets count it."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from players.limits.addresses import address_key
from players.limits.rate_limits import address


def client_address(scope: Mapping[str, Any]) -> str:
    """The client's own address behind NUM_PROXIES proxies; of an IPv6 address its /64."""
    peer = (scope.get("client") or ("",))[0]
    if not settings.NUM_PROXIES:
        return address_key(peer)
    forwarded_for = ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for")
    return address_key(address(peer, forwarded_for, settings.NUM_PROXIES))
