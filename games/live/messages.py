"""The messages of the bridge: what processes tell each other, encoded and signed."""

from collections.abc import Iterator

import msgspec

from games.game.events import Event
from games.game.values import Value
from games.live import topics
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
    """One message through Redis: everything for one topic that became due while the previous one was under way.

    While no other process listens, a process publishes nothing. `is_partial` of its next batch tells new listeners that
    messages are missing, which they read from the log.
    """

    origin: str
    topic: str
    number: int  # of the batch among those of its origin and topic
    sent_at: float  # Unix time
    commits: list[tuple[str, float, int, msgspec.Raw]] = []  # game, time, version, events
    notifications: list[tuple[list[str], bytes]] = []
    lobby_changes: list[str] = []
    phrases: list[SpokenPhrase] = []
    is_partial: bool = False
    is_listening: bool = False  # whether its origin follows topics, too


def parts(outgoing: Outgoing) -> Iterator[tuple[str, str, object]]:
    """Topic, member of a batch, and what is appended to it."""
    if outgoing.version:
        commit = (outgoing.game, outgoing.at, outgoing.version, encode_events(outgoing.events))
        yield topics.of_game(outgoing.game), "commits", commit
    for players, message in outgoing.notifications:
        for player in players:
            yield topics.of_player(player), "notifications", ([player], message)
    if outgoing.changes_lobby:
        yield topics.LOBBY, "lobby_changes", outgoing.game
    if outgoing.phrase:
        yield topics.of_game(outgoing.phrase.game), "phrases", outgoing.phrase


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
