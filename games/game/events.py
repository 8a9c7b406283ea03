"""The envelope of every event and the hash chain that binds a game's log; knows no rule, no table and no clock."""

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import msgspec

from games.game.values import Value

GENESIS = "0" * 64  # what the first event of a game names as the hash before it

Data = dict[str, Any]


_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """The one text of a JSON value: sorted keys, no spaces, UTF-8. To the letter what the standard library writes.

    >>> canonical({"b": [1, None], "a": "ü"}).decode()
    '{"a":"ü","b":[1,null]}'
    """
    return _encoder.encode(value)


def stamp(moment: datetime) -> str:
    """The one form of a time in the log: it sorts as text.

    >>> stamp(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)), stamp(datetime(2026, 1, 2, 3, 4, 5, 60, tzinfo=UTC))
    ('2026-01-02T03:04:05.000000Z', '2026-01-02T03:04:05.000060Z')
    """
    if moment.tzinfo is UTC and moment.microsecond:
        text: str = msgspec.to_builtins(moment)  # a fifth of the time; whole seconds it writes in another form
        return text
    return moment.astimezone(UTC).isoformat("T", "microseconds")[:26] + "Z"


def moment_of(text: str) -> datetime:
    """
    >>> stamp(moment_of("2026-01-02T03:04:05.000006Z"))
    '2026-01-02T03:04:05.000006Z'
    """
    return datetime.fromisoformat(text)


class Event(Value, frozen=True, array_like=True):
    """One line of a game's log, complete, as it is stored and as its hash covers it."""

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
    """The hash of an event over its own content and the hash before it (contract, section 10)."""
    body = {"at": at, "data": data, "game": game, "type": type_, "v": v, "version": version}
    return sha256(prev.encode() + canonical(body)).hexdigest()


def link(prev: str, game: str, version: int, type_: str, v: int, at: str, data: Data) -> Event:
    """An event with its place in the chain."""
    return Event(game, version, type_, v, at, data, prev, chain_hash(prev, game, version, type_, v, at, data))


def first_bad_version(events: Iterable[Event]) -> int | None:
    """The first version, counted from 1, that is not where or what the chain says; None for a sound log.

    >>> first = link(GENESIS, "g", 1, "game_created", 1, "t", {})
    >>> second = link(first.hash, "g", 2, "seat_left", 1, "t", {"seat": 1})
    >>> first_bad_version([first, second]) is None
    True
    >>> first_bad_version([first, second._replace(data={"seat": 0})])
    2
    """
    prev = GENESIS
    for version, event in enumerate(events, start=1):
        expected = chain_hash(prev, event.game, version, event.type, event.v, event.at, event.data)
        if (event.version, event.prev, event.hash) != (version, prev, expected):
            return version
        prev = event.hash
    return None
