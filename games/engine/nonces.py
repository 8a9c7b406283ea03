"""Nonces for sealed answers, drawn from the system 256 at a time, because one call each is slow."""

import os
from collections import deque

SIZE = 16  # bytes
DRAWN_AT_ONCE = 256

_drawn: deque[str] = deque()
os.register_at_fork(after_in_child=_drawn.clear)  # or two processes would use the same nonces


def nonce() -> str:
    """Sixteen random bytes as hex, each given out once.

    >>> len(nonce()), nonce() == nonce()
    (32, False)
    """
    try:
        return _drawn.pop()
    except IndexError:
        drawn = os.urandom(SIZE * DRAWN_AT_ONCE).hex()
        _drawn.extend(drawn[start : start + 2 * SIZE] for start in range(0, len(drawn), 2 * SIZE))
        return _drawn.pop()
