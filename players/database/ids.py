"""Ids that sort by the time they were made (UUID version 7, RFC 9562)."""

import secrets
import time
import uuid
from datetime import datetime
from functools import lru_cache


def uuid7() -> uuid.UUID:
    """48 bits of milliseconds, then version, variant and 74 bits of luck.

    >>> uuid7().version
    7
    """
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return uuid.UUID(int=value)


def earliest(moment: datetime) -> uuid.UUID:
    """No id that is made from then on is smaller.

    >>> earliest(datetime.fromisoformat("2026-01-02T00:00:00Z")) < uuid7()
    True
    """
    return uuid.UUID(int=int(moment.timestamp() * 1000) << 80)


@lru_cache(maxsize=65_536)
def uuid_of(text: str) -> uuid.UUID:
    """The id in its textual form: the same few are read again with every move, and reading one takes a while.

    >>> uuid_of("0192f0c0-0000-7000-8000-000000000000").version
    7
    """
    return uuid.UUID(text)


_texts: dict[int, str] = {}  # by the number that an id is: it is found fastest
MOST_TEXTS = 65_536


def text_of(value: uuid.UUID) -> str:
    """And the other way round: the same few are written again with every move.

    >>> text_of(uuid.UUID(int=1))
    '00000000-0000-0000-0000-000000000001'
    """
    found = _texts.get(value.int)
    if found is None:
        if len(_texts) >= MOST_TEXTS:
            _texts.clear()
        found = _texts[value.int] = str(value)
    return found
