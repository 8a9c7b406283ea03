"""Networks by which clients are counted: an IPv4 address, or the /64 network of an IPv6 address."""

from collections import Counter
from ipaddress import IPv6Address, ip_address

IPV6_PREFIX = 64


def network_of(address: str) -> str:
    """One customer of a provider has a whole /64, so that addresses in it are not counted apart.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    >>> network_of("not an address")
    'not an address'
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    host_bits = parsed.max_prefixlen - IPV6_PREFIX
    return f"{IPv6Address(int(parsed) >> host_bits << host_bits)}/{IPV6_PREFIX}"


class NetworkCounter:
    """How many there are of each network, up to a limit.

    >>> counter = NetworkCounter(1)
    >>> counter.add("192.0.2.7"), counter.add("192.0.2.7"), counter.add("192.0.2.8")
    (True, False, True)
    >>> counter.remove("192.0.2.7")
    >>> counter.add("192.0.2.7")
    True
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._counts: Counter[str] = Counter()

    def add(self, network: str) -> bool:
        """Count one more, unless the limit is reached."""
        if self._counts[network] >= self._limit:
            return False
        self._counts[network] += 1
        return True

    def remove(self, network: str) -> None:
        self._counts[network] -= 1
        if not self._counts[network]:
            del self._counts[network]
