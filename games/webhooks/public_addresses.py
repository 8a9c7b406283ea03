"""Which addresses a webhook may reach: none of this machine or of a private network (SSRF)."""

import asyncio
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx

from games.rules.refused import Refused

MAX_URL = 1000
PORTS = range(1, 65536)
# A look-up cannot be cancelled, and a name server that does not answer holds its thread for half a minute. In threads
# of their own look-ups do not keep the loop of a message from ending; three times as many as messages sent at once.
LOOKUPS = ThreadPoolExecutor(96, "webhook-lookups")
NAME = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*")
EXPECTED = "an https URL of a public host"
# Python counts these as global: relays of 6to4, site-local addresses (RFC 3879), documentation (RFC 9637).
NOT_PUBLIC = (ip_network("192.88.99.0/24"), ip_network("fec0::/10"), ip_network("3fff::/20"))


class AddressNotAllowed(Exception):
    """The name leads to an address that webhooks may not reach."""


def is_allowed(address: str, *, allow_loopback: bool = False) -> bool:
    """
    >>> [is_allowed(text) for text in ("1.1.1.1", "10.0.0.1", "127.0.0.1", "169.254.169.254", "224.0.1.1")]
    [True, False, False, False, False]
    >>> [is_allowed(text) for text in ("2606:4700::1111", "::1", "fe80::1%eth0", "::ffff:10.0.0.1", "2002:a00:1::")]
    [True, False, False, False, False]
    >>> is_allowed("64:ff9b::a00:1"), is_allowed("::10.0.0.1")
    (False, False)
    >>> is_allowed("127.0.0.1", allow_loopback=True), is_allowed("10.0.0.1", allow_loopback=True)
    (True, False)
    """
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or ip
    if ip.is_loopback:
        return allow_loopback
    is_6to4 = isinstance(ip, IPv6Address) and ip.sixtofour is not None  # leads to an IPv4 address
    is_elsewhere = any(ip in network for network in NOT_PUBLIC)
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or is_6to4 or is_elsewhere)


async def resolve(host: str, port: int, *, allow_loopback: bool) -> str:
    """The address to connect to. One that is not allowed refuses the name, whatever its other addresses are."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(LOOKUPS, look_up)
    addresses = [str(sockaddr[0]) for *_, sockaddr in found]
    if not addresses or not all(is_allowed(address, allow_loopback=allow_loopback) for address in addresses):
        raise AddressNotAllowed(host)
    return addresses[0]


def checked_url(text: str, *, allow_loopback: bool) -> str:
    """A URL that may be registered; names are resolved when a message is sent."""
    try:
        url = httpx.URL(text[: MAX_URL + 1])
        schemes = ("https", "http") if allow_loopback else ("https",)
        is_plain = text.isascii() and url.scheme in schemes and not url.userinfo and not url.fragment
        if len(text) <= MAX_URL and is_plain and (url.port or 1) in PORTS and _may_name(url.host, allow_loopback):
            return str(url)
    except (httpx.InvalidURL, ValueError):
        pass
    raise Refused("malformed", errors=[("/url", "wrong_format", EXPECTED)])


def _may_name(host: str, allow_loopback: bool) -> bool:
    """A name, or an address that is allowed."""
    try:
        return is_allowed(host, allow_loopback=allow_loopback)
    except ValueError:
        return NAME.fullmatch(host) is not None and (allow_loopback or "." in host)
