"""The event envelope and the hash chain of a game's log."""

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import msgspec

from games.game.values import Value

GENESIS = "0" * 64  # `prev` of a game's first event

Data = dict[str, Any]


_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """The canonical text of a JSON value: sorted keys, no spaces, UTF-8. Equal to what the standard library writes.

    >>> canonical({"b": [1, None], "a": "ü"}).decode()
    '{"a":"ü","b":[1,null]}'
    """
    return _encoder.encode(value)


def stamp(moment: datetime) -> str:
    """A time in the form of the log, which sorts as text.

    >>> stamp(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)), stamp(datetime(2026, 1, 2, 3, 4, 5, 60, tzinfo=UTC))
    ('2026-01-02T03:04:05.000000Z', '2026-01-02T03:04:05.000060Z')
    """
    if moment.tzinfo is UTC and moment.microsecond:
        text: str = msgspec.to_builtins(moment)  # five times faster, but whole seconds have another form
        return text
    return moment.astimezone(UTC).isoformat("T", "microseconds")[:26] + "Z"


def moment_of(text: str) -> datetime:
    """
    >>> stamp(moment_of("2026-01-02T03:04:05.000006Z"))
    '2026-01-02T03:04:05.000006Z'
    """
    return datetime.fromisoformat(text)


class Event(Value, frozen=True, array_like=True):
    """One event of a game's log, complete, as it is stored and hashed."""

    game: str
    version: int
    type: str
    v: int
    at: str
    data: Data
    prev: str
    hash: str

    def envelope(self) -> Data:
        return self._asdict()


def chain_hash(prev: str, game: str, version: int, type_: str, v: int, at: str, data: Data) -> str:
    """The hash over an event's content and the hash of the event before (contract, section 10)."""
    body = {"at": at, "data": data, "game": game, "type": type_, "v": v, "version": version}
    return sha256(prev.encode() + canonical(body)).hexdigest()


def link(prev: str, game: str, version: int, type_: str, v: int, at: str, data: Data) -> Event:
    """An event with its hash, linked to the event before."""
    return Event(game, version, type_, v, at, data, prev, chain_hash(prev, game, version, type_, v, at, data))


def first_bad_version(events: Iterable[Event], prev: str = GENESIS, after: int = 0) -> int | None:
    """The first version whose number, `prev` or hash is wrong; None if the log, or its part after a version, is intact.

    >>> first = link(GENESIS, "g", 1, "game_created", 1, "t", {})
    >>> second = link(first.hash, "g", 2, "seat_left", 1, "t", {"seat": 1})
    >>> first_bad_version([first, second]) is None
    True
    >>> first_bad_version([first, second._replace(data={"seat": 0})])
    2
    >>> first_bad_version([second], first.hash, 1), first_bad_version([second])
    (None, 1)
    """
    for version, event in enumerate(events, start=after + 1):
        expected = chain_hash(prev, event.game, version, event.type, event.v, event.at, event.data)
        if (event.version, event.prev, event.hash) != (version, prev, expected):
            return version
        prev = event.hash
    return None
