"""The messages of the bridge: what processes tell each other, encoded and signed."""

import msgspec

from games.game.events import Event
from games.game.values import Value
from games.live.signatures import signed, verified


class SpokenPhrase(msgspec.Struct, array_like=True):
    """A phrase that a seat said, and the players who muted that seat. It is in no log: absent players miss it."""

    game: str
    seat: int
    key: str
    muted_by: list[str]


class Outgoing(Value, frozen=True):
    """What one commit, notification or phrase means to other processes; they read sealed events from the log."""

    game: str = ""
    version: int = 0  # of its last event
    events: tuple[Event, ...] = ()
    notifications: tuple[tuple[list[str], bytes], ...] = ()
    changes_lobby: bool = False
    at: float = 0.0  # Unix time of the commit
    phrase: SpokenPhrase | None = None


class BridgeBatch(msgspec.Struct, array_like=True):
    """One message through Redis: everything that became due while the previous one was under way.

    A process that found no other listener leaves `commits` empty; a process that listens by now reads the log instead.
    """

    origin: str
    number: int  # of the batch among those of its origin
    sent_at: float  # Unix time
    commits: list[tuple[str, float, int, msgspec.Raw]]  # game, time, version, events
    notifications: list[tuple[list[str], bytes]]
    lobby_changes: list[str]
    phrases: list[SpokenPhrase]
    is_partial: bool = False


class NotSigned(ValueError):
    """A message that no process of this service has sent."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(BridgeBatch).decode
decode_events = msgspec.msgpack.Decoder(tuple[Event, ...]).decode


def encode_events(events: tuple[Event, ...]) -> msgspec.Raw:
    return msgspec.Raw(_encode(events))


def encode_batch(batch: BridgeBatch) -> bytes:
    return signed(_encode(batch))


def decode_batch(data: bytes) -> BridgeBatch:
    """Nothing is parsed before its signature is verified."""
    payload = verified(data)
    if payload is None:
        raise NotSigned
    return _decode(payload)
