"""What one batch of commands writes, as the parameters of the database's `games_append()`; sends nothing itself.

Whatever is many and small goes as one text per column, and whatever is bytes as one run of bytes: the driver and the
database read those in a fraction of the time that lists and hexadecimal texts take.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import accumulate
from typing import Any
from uuid import UUID

import msgspec

from games.game.events import Event
from games.game.values import Value
from players.database.ids import text_of

SeatRow = tuple[int, UUID | None, str]  # seat, player, bot level
NULL = "NULL"  # as an element of an array
THE_SERVICE = UUID(int=0)  # whose receipts are those of commands that no player gave


class Receipt(Value, frozen=True):
    """The key a player gave a command, and the fingerprint of the request it came with."""

    player: UUID
    key: str
    fingerprint: bytes


class Tip(Value, frozen=True):
    """What the game's row says after the command."""

    status: str
    deadline_at: datetime | None = None
    active: int | None = None
    phase: str | None = None
    waiting: int = 0
    ended_at: datetime | None = None
    bots_at: datetime | None = None


class Birth(Value, frozen=True):
    """What a game has from its creation on."""

    ruleset: str
    sheet: str
    visibility: str
    rated: bool
    clock: dict[str, Any] | None
    seats: int
    code: str
    secret: bytes
    bot_secret: bytes

    def __repr__(self) -> str:
        return f"Birth({self.ruleset}, {self.sheet})"  # never the secrets


class Snapshot(Value, frozen=True):
    """The game as its events have made it up to a version, in a form that only code of one shape can read."""

    version: int
    schema: int
    state: bytes


class Append(Value, frozen=True):
    """One command's facts for one game, on top of version `expected`."""

    game: UUID
    expected: int
    events: tuple[Event, ...]
    tip: Tip
    snapshot: Snapshot | None = None  # None: the former one will do
    seats: tuple[SeatRow, ...] | None = None  # None: as they were
    birth: Birth | None = None
    actor: UUID | None = None
    session: UUID | None = None
    receipt: Receipt | None = None


def parameters(items: Sequence[Append]) -> tuple[object, ...]:
    """Of `CALL`, in its order."""
    for item in items:
        _check(item)
    tips, events = [item.tip for item in items], [event for item in items for event in item.events]
    firsts, lasts = [item.events[0] for item in items], [item.events[-1] for item in items]
    counts, receipts = [len(item.events) for item in items], [item.receipt for item in items]
    sessions = [_id(item.session) for item in items]
    return (
        _array([event.game for event in firsts]),
        _array([str(item.expected) for item in items]),
        bytes.fromhex("".join([event.prev for event in firsts])),
        _array([str(event.version) for event in lasts]),
        _array(map(str, accumulate(counts))),
        _array([event.at for event in lasts]),
        _array([tip.status for tip in tips]),
        _array([_time(tip.deadline_at) for tip in tips]),
        _array([_number(tip.active) for tip in tips]),
        _array([_text(tip.phase) for tip in tips]),
        _array([str(tip.waiting) for tip in tips]),
        _array([_time(tip.ended_at) for tip in tips]),
        _array([_time(tip.bots_at) for tip in tips]),
        _array([_id(item.actor) for item in items]),
        _array(sessions),
        *(_keys(receipts) if any(receipts) else (None, None, None)),
        _array([number for n, count in enumerate(counts, start=1) for number in [str(n)] * count]),
        _array([event.type for event in events]),
        _array([str(event.v) for event in events]),
        _json([event.data for event in events]),
        bytes.fromhex("".join([event.hash for event in events])),
        _array(sorted({*sessions} - {NULL})),
        _json([_birth(item, item.birth) for item in items if item.birth]),
        _json([_seats(item.game, item.seats) for item in items if item.seats is not None]),
        _json([_snapshot(item.game, item.snapshot) for item in items if item.snapshot]),
    )


PARAMETERS = ", ".join(f"${n}" for n in range(1, 28))
CALL = f"SELECT * FROM games_append({PARAMETERS})".encode()  # noqa: S608  (of our own making)


def _check(item: Append) -> None:
    first = item.expected + 1
    if not item.events or [event.version for event in item.events] != [*range(first, first + len(item.events))]:
        raise ValueError(f"these events of {item.game} do not follow version {item.expected}")  # never a hole in a log
    if len({event.at for event in item.events}) > 1:
        raise ValueError(f"{item.game} at version {item.expected}: all that a command does happens at one instant")
    if (item.expected == 0) != (item.birth is not None):
        raise ValueError(f"{item.game} at version {item.expected}: a game is born with its first event, and once")


def _keys(receipts: Sequence[Receipt | None]) -> tuple[str, str, str]:
    """Of each command, whose key it has, the key and the fingerprint."""
    return (
        _array([_id(receipt.player) if receipt else NULL for receipt in receipts]),
        _array([_text(receipt.key) if receipt else NULL for receipt in receipts]),
        _array([_text(_bytea(receipt.fingerprint)) if receipt else NULL for receipt in receipts]),
    )


def _birth(item: Append, birth: Birth) -> dict[str, Any]:
    """The whole row of a new game, under the names of its columns, with its seeds."""
    last = item.events[-1]
    return {
        **item.tip._asdict(),
        **birth._asdict(),
        "id": item.game,
        "version": last.version,
        "head_hash": "\\x" + last.hash,
        "created_at": item.events[0].at,
        "updated_at": last.at,
        "secret": _bytea(birth.secret),
        "bot_secret": _bytea(birth.bot_secret),
    }


def _seats(game: UUID, seats: Iterable[SeatRow]) -> dict[str, Any]:
    return {"game": game, "seats": [{"seat": seat, "player": player, "bot": bot} for seat, player, bot in seats]}


def _snapshot(game: UUID, snapshot: Snapshot) -> dict[str, Any]:
    return {"game": game, **snapshot._asdict(), "state": _bytea(snapshot.state)}


def _id(value: UUID | None) -> str:
    return text_of(value) if value else NULL


def _time(value: datetime | None) -> str:
    return value.isoformat() if value else NULL


def _number(value: int | None) -> str:
    return NULL if value is None else str(value)


def _json(values: Sequence[Any]) -> str | None:
    return msgspec.json.encode(values).decode() if values else None


def _bytea(value: bytes) -> str:
    return "\\x" + value.hex()


def _array(elements: Iterable[str]) -> str:
    return "{" + ",".join(elements) + "}"


def _text(element: str | None) -> str:
    r"""As an element of an array, whatever is in it.

    >>> _array([_text('a "b", \\'), _text(""), _text(None)])
    '{"a \\"b\\", \\\\","",NULL}'
    """
    return NULL if element is None else '"' + element.replace("\\", "\\\\").replace('"', '\\"') + '"'
