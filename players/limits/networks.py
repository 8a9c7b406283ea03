"""Counts by the key of an address, up to a limit."""

from collections import Counter


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

    def add(self, network: str, count: int = 1) -> bool:
        """Count one or more, unless the limit would be exceeded."""
        if self._counts.get(network, 0) + count > self._limit:
            return False
        self._counts[network] += count
        return True

    def remove(self, network: str, count: int = 1) -> None:
        self._counts[network] -= count
        if not self._counts[network]:
            del self._counts[network]
