"""Ids that sort by the time they were made (UUID version 7, RFC 9562)."""

import secrets
import time
import uuid
from datetime import UTC, datetime
from functools import lru_cache


def uuid7() -> uuid.UUID:
    """48 bits of milliseconds, then version, variant and 74 random bits.

    >>> uuid7().version
    7
    """
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return uuid.UUID(int=value)


def earliest(moment: datetime) -> uuid.UUID:
    """The lower bound of all ids that are made from this moment on.

    >>> earliest(datetime.fromisoformat("2026-01-02T00:00:00Z")) < uuid7()
    True
    """
    return uuid.UUID(int=int(moment.timestamp() * 1000) << 80)


def made_at(id_: uuid.UUID) -> datetime:
    """When an id was made, to the millisecond.

    >>> made_at(earliest(datetime.fromisoformat("2026-01-02T00:00:00Z"))).isoformat()
    '2026-01-02T00:00:00+00:00'
    """
    return datetime.fromtimestamp((id_.int >> 80) / 1000, UTC)


@lru_cache(maxsize=65_536)
def uuid_of(text: str) -> uuid.UUID:
    """Parse an id. Every move parses the same few ids, so results are cached.

    >>> uuid_of("0192f0c0-0000-7000-8000-000000000000").version
    7
    """
    return uuid.UUID(text)


_texts: dict[int, str] = {}  # by UUID.int, which hashes faster than a UUID
MAX_TEXTS = 65_536


def text_of(value: uuid.UUID) -> str:
    """Format an id. Every move formats the same few ids, so results are cached.

    >>> text_of(uuid.UUID(int=1))
    '00000000-0000-0000-0000-000000000001'
    """
    found = _texts.get(value.int)
    if found is None:
        if len(_texts) >= MAX_TEXTS:
            _texts.clear()
        found = _texts[value.int] = str(value)
    return found
