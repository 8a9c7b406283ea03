"""The address of a client behind proxies, and the key under which limits count it."""

from collections.abc import Mapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from django.conf import settings

MAX_LENGTH = 64  # no address is longer; other text can come only from a proxy of ours
PREFIX = 64  # bits of an IPv6 address that a provider gives to one customer, at least


def address_key(address: str) -> str:
    """An IPv4 address itself; of an IPv6 address its /64, because one client has all addresses of such a network.

    >>> address_key("203.0.113.7"), address_key("2001:db8:1:2:3:4:5:6"), address_key("2001:DB8:1:2::9%eth0")
    ('203.0.113.7', '2001:db8:1:2::/64', '2001:db8:1:2::/64')
    >>> address_key("::ffff:203.0.113.7"), address_key("unix socket"), address_key("")
    ('203.0.113.7', 'unix socket', '')
    """
    address = address[:MAX_LENGTH]
    if ":" not in address:
        return address
    try:
        found = ip_address(address.partition("%")[0].strip("[]"))
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or IPv6Network((int(found), PREFIX), strict=False))


def address(peer: str, forwarded_for: str, proxies: int) -> str:
    """The address of the client. Each of our proxies appends the address that called it; earlier entries are untrusted.

    >>> address("10.0.0.1", "6.6.6.6, 1.2.3.4", 0), address("10.0.0.1", "6.6.6.6, 1.2.3.4", 1)
    ('10.0.0.1', '1.2.3.4')
    >>> address("10.0.0.1", "", 1)
    '10.0.0.1'
    """
    hops = [hop.strip() for hop in forwarded_for.split(",") if hop.strip()]
    return hops[-min(proxies, len(hops))] if proxies and hops else peer


def client_address(scope: Mapping[str, Any]) -> str:
    """The client's own address behind NUM_PROXIES proxies; of an IPv6 address its /64."""
    peer = (scope.get("client") or ("",))[0]
    if not settings.NUM_PROXIES:
        return address_key(peer)
    forwarded_for = ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for")
    return address_key(address(peer, forwarded_for, settings.NUM_PROXIES))
