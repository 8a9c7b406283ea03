"""Luck for sealed answers, drawn ahead: asking the system for it with every command is asking it too often."""

import os
from collections import deque

SIZE = 16
AT_ONCE = 256

_drawn: deque[str] = deque()
os.register_at_fork(after_in_child=_drawn.clear)  # or two processes would hand out the same


def nonce() -> str:
    """Sixteen bytes that nobody can guess, each given out once.

    >>> len(nonce()), nonce() == nonce()
    (32, False)
    """
    try:
        return _drawn.pop()
    except IndexError:
        luck = os.urandom(SIZE * AT_ONCE).hex()
        _drawn.extend(luck[start : start + 2 * SIZE] for start in range(0, len(luck), 2 * SIZE))
        return _drawn.pop()
