"""The key under which limits count the address of a client."""

from ipaddress import IPv6Address, IPv6Network, ip_address

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
