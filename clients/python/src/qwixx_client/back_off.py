"""Pauses between attempts: doubled each time, with a random part, so that clients do not all come back at once."""

import random
from typing import NamedTuple


class Pauses(NamedTuple):
    """The longest first pause and the longest pause of all, in seconds."""

    first_s: float = 0.5
    most_s: float = 15.0


class BackOff:
    def __init__(self, pauses: Pauses) -> None:
        self._pauses = pauses
        self._attempts = 0

    def reset(self) -> None:
        self._attempts = 0

    def next_s(self, least_s: float = 0.0) -> float:
        longest = min(self._pauses.most_s, self._pauses.first_s * 2.0 ** min(self._attempts, 16))
        self._attempts += 1
        return max(least_s, longest * (0.5 + random.random() / 2))
