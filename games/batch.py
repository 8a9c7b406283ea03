"""What one batch of commands writes, as the parameters of the database's `games_append()`; sends nothing itself.

Whatever is many and small goes as one text per column, and whatever is bytes as one run of bytes: the driver and the
database read those in a fraction of the time that lists and hexadecimal texts take.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import accumulate, chain
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from games.events import Event
from players.ids import text_of

SeatRow = tuple[int, UUID | None, str]  # seat, player, bot level
NULL = "NULL"  # as an element of an array
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


def parameters(items: Sequence[Append]) -> tuple[object, ...]:
    """Of `CALL`, in its order."""
    for item in items:
        _check(item)
    _, expecteds, events_of, tips, _, _, actors, bearers, receipts = zip(*items, strict=True)
    statuses, states, schemas, deadlines, actives, phases, waitings, endeds, bots_ats = zip(*tips, strict=True)
    games, versions, types, vs, ats, data, _, hashes = zip(
        *[event for each in events_of for event in each], strict=True
    )
    counts, sizes = [len(each) for each in events_of], [len(state) for state in states]
    ends = list(accumulate(sizes))
    sessions = [_id(session) for session in bearers]
    keys = _keys(receipts, counts) if any(receipts) else (None,) * 4
    return (
        _array([each[0].game for each in events_of]),
        _array(map(str, expecteds)),
        bytes.fromhex("".join([each[0].prev for each in events_of])),
        _array(map(str, accumulate(counts))),
        _array(statuses),
        b"".join(states),
        _array([str(end - size + 1) for end, size in zip(ends, sizes, strict=True)]),
        _array(map(str, sizes)),
        _array(map(str, schemas)),
        _array(map(_time, deadlines)),
        _array(map(_number, actives)),
        _array(map(_text, phases)),
        _array(map(str, waitings)),
        _array(map(_time, endeds)),
        _array(map(_time, bots_ats)),
        _array(sessions),
        *keys[:3],
        _array(games),
        _array(map(str, versions)),
        _array(types),
        _array(map(str, vs)),
        _array(ats),
        _json(data),
        bytes.fromhex("".join(hashes)),
        _array(chain.from_iterable([[_id(actor)] * count for actor, count in zip(actors, counts, strict=True)])),
        keys[3],
        _array(sorted({*sessions} - {NULL})),
        _json([_birth(item, item.birth) for item in items if item.birth]),
        _json([_seats(item.game, item.seats) for item in items if item.seats is not None]),
    )


PARAMETERS = ", ".join(f"${n}" for n in range(1, 32))
CALL = f"SELECT * FROM games_append({PARAMETERS})".encode()  # noqa: S608  (of our own making)


def _check(item: Append) -> None:
    first = item.expected + 1
    if not item.events or [event.version for event in item.events] != [*range(first, first + len(item.events))]:
        raise ValueError(f"these events of {item.game} do not follow version {item.expected}")  # never a hole in a log
    if (item.expected == 0) != (item.birth is not None):
        raise ValueError(f"{item.game} at version {item.expected}: a game is born with its first event, and once")


def _keys(receipts: Sequence[Receipt | None], counts: Sequence[int]) -> tuple[str, str, str, str]:
    """Of each command, whose key it has, the key and the fingerprint; of each event, the key of its command."""
    keys = [_text(receipt.key) if receipt else NULL for receipt in receipts]
    return (
        _array([_id(receipt.player) if receipt else NULL for receipt in receipts]),
        _array(keys),
        _array([_text(_bytea(receipt.fingerprint)) if receipt else NULL for receipt in receipts]),
        _array(chain.from_iterable([[key] * count for key, count in zip(keys, counts, strict=True)])),
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
        "state": _bytea(item.tip.state),
        "created_at": item.events[0].at,
        "updated_at": last.at,
        "secret": _bytea(birth.secret),
        "bot_secret": _bytea(birth.bot_secret),
    }


def _seats(game: UUID, seats: Iterable[SeatRow]) -> dict[str, Any]:
    return {"game": game, "seats": [{"seat": seat, "player": player, "bot": bot} for seat, player, bot in seats]}


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
