"""What one batch of commands writes, as the parameters of the database's `games_append()`; sends nothing itself.

Whatever is many and small goes as one text per column, and whatever is bytes as one run of bytes: the driver and the
database read those in a fraction of the time that lists and hexadecimal texts take.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from games.events import Event
from players.ids import text_of

SeatRow = tuple[int, UUID | None, str]  # seat, player, bot level
THE_SERVICE = UUID(int=0)  # whose receipts are those of commands that no player gave


class Receipt(NamedTuple):
    """The key a player gave a command, and the fingerprint of the request it came with."""

    player: UUID
    key: str
    fingerprint: bytes


class Tip(NamedTuple):
    """What the game's row says after the command."""

    status: str
    state: bytes
    state_schema: int
    deadline_at: datetime | None = None
    active: int | None = None
    phase: str | None = None
    waiting: int = 0
    ended_at: datetime | None = None
    bots_at: datetime | None = None


class Birth(NamedTuple):
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


class Append(NamedTuple):
    """One command's facts for one game, on top of version `expected`."""

    game: UUID
    expected: int
    events: tuple[Event, ...]
    tip: Tip
    seats: tuple[SeatRow, ...] | None = None  # None: as they were
    birth: Birth | None = None
    actor: UUID | None = None
    session: UUID | None = None
    receipt: Receipt | None = None


CALL = b"SELECT * FROM games_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"


def parameters(items: Sequence[Append]) -> tuple[object, ...]:
    """Of `CALL`, in its order."""
    events = [event for item in items for event in item.events]
    return (
        _json(_items(items)),
        b"".join([item.tip.state for item in items]),
        _array([event.game for event in events]),
        _array([str(event.version) for event in events]),
        _array([event.type for event in events]),
        _array([str(event.v) for event in events]),
        _array([event.at for event in events]),
        _json([event.data for event in events]),
        bytes.fromhex("".join([event.hash for event in events])),
        _array([actor for item in items for actor in [_id(item.actor)] * len(item.events)]),
        _keys(items),
        _array(sorted({text_of(item.session) for item in items if item.session})),
        _json([_birth(item, item.birth) for item in items if item.birth]),
        _json([_seats(item.game, item.seats) for item in items if item.seats is not None]),
    )


def _items(items: Sequence[Append]) -> list[dict[str, Any]]:
    rows = []
    events, states = 0, 1  # how many hashes lie before the next item's, and where its state begins
    for item in items:
        _check(item)
        first, last, tip = item.events[0], item.events[-1], item.tip
        events += len(item.events)
        row: dict[str, Any] = {
            "game": first.game,
            "expected": item.expected,
            "prev": "\\x" + first.prev,
            "version": last.version,
            "last_event": events,
            "at": last.at,
            "status": tip.status,
            "state_from": states,
            "state_size": len(tip.state),
            "state_schema": tip.state_schema,
            "deadline_at": tip.deadline_at,
            "active": tip.active,
            "phase": tip.phase,
            "waiting": tip.waiting,
            "ended_at": tip.ended_at,
            "bots_at": tip.bots_at,
            "session": item.session,
        }
        if item.receipt:
            row |= {**item.receipt._asdict(), "fingerprint": _bytea(item.receipt.fingerprint)}
        states += len(tip.state)
        rows.append(row)
    return rows


def _check(item: Append) -> None:
    if not item.events or any(event.version != n for n, event in enumerate(item.events, item.expected + 1)):
        raise ValueError(f"these events of {item.game} do not follow version {item.expected}")  # never a hole in a log
    if (item.expected == 0) != (item.birth is not None):
        raise ValueError(f"{item.game} at version {item.expected}: a game is born with its first event, and once")


def _keys(items: Sequence[Append]) -> str | None:
    """Of each event, the key of its command; None: no command of this batch has any."""
    if not any(item.receipt for item in items):
        return None
    keys = [_quoted(item.receipt.key) if item.receipt else "NULL" for item in items]
    return _array([key for item, key in zip(items, keys, strict=True) for _ in item.events])


def _birth(item: Append, birth: Birth) -> dict[str, Any]:
    """The whole row of a new game, under the names of its columns, with its seeds."""
    last = item.events[-1]
    return {
        **item.tip._asdict(),
        **birth._asdict(),
        "id": item.game,
        "version": last.version,
        "head_hash": "\\x" + last.hash,
        "state": _bytea(item.tip.state),
        "created_at": item.events[0].at,
        "updated_at": last.at,
        "secret": _bytea(birth.secret),
        "bot_secret": _bytea(birth.bot_secret),
    }


def _seats(game: UUID, seats: Iterable[SeatRow]) -> dict[str, Any]:
    return {"game": game, "seats": [{"seat": seat, "player": player, "bot": bot} for seat, player, bot in seats]}


def _id(value: UUID | None) -> str:
    return text_of(value) if value else "NULL"


def _json(values: list[Any]) -> str | None:
    return msgspec.json.encode(values).decode() if values else None


def _bytea(value: bytes) -> str:
    return "\\x" + value.hex()


def _array(elements: Iterable[str]) -> str:
    return "{" + ",".join(elements) + "}"


def _quoted(element: str) -> str:
    r"""As an element of an array, whatever is in it.

    >>> _array([_quoted('a "b", \\')])
    '{"a \\"b\\", \\\\"}'
    """
    return '"' + element.replace("\\", "\\\\").replace('"', '\\"') + '"'
