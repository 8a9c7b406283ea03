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
