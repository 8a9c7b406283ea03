"""One command as a record of the type that the database's `games_append_v2` takes; `store.append` sends it."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import astuple

from games.game.event_types import FACTS
from games.game.events import Data, Event, moment_of
from games.game.values import Value

SeatRow = tuple[int, UUID | None, str]  # seat, player, bot level
THE_SERVICE = UUID(int=0)  # the player in receipts of commands that no player gave
NO_RECEIPT = (None, None, None)
QUERIED = frozenset(name for name, kind in FACTS.items() if kind.needed_for_results) | {"time_ran_out"}
NO_CHARACTER = "\\u0000"


class NewReceipt(Value, frozen=True):
    """The idempotency key of a command, and the fingerprint of its request."""

    player: UUID
    key: str
    fingerprint: bytes


class Tip(Value, frozen=True):
    """The columns of the game's row after the command, in the order of `games_append_item_v2`."""

    status: str
    deadline_at: datetime | None = None
    active: int | None = None
    phase: str | None = None
    waiting: int = 0
    ended_at: datetime | None = None
    bots_at: datetime | None = None


class Birth(Value, frozen=True):
    """The fixed columns of a new game, in the order of `games_append_birth`."""

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


class SnapshotRow(Value, frozen=True):
    """The game folded up to a version, encoded so that only code with the same classes (`schema`) can read it."""

    version: int
    schema: int
    state: bytes


class Append(Value, frozen=True):
    """The events of one command for one game, on top of version `expected`, and the rows that they change."""

    game: UUID
    expected: int
    events: tuple[Event, ...]
    tip: Tip
    snapshot: SnapshotRow | None = None  # None: the former one is kept
    seats: tuple[SeatRow, ...] | None = None  # None: unchanged
    birth: Birth | None = None
    actor: UUID | None = None
    session: UUID | None = None
    receipt: NewReceipt | None = None


def record(item: Append) -> tuple[object, ...]:
    """The columns of the type `games_append_item_v2`, in its order."""
    _check(item)
    first, last, receipt = item.events[0], item.events[-1], item.receipt
    return (
        item.game,
        item.expected,
        bytes.fromhex(first.prev),
        last.version,
        bytes.fromhex(last.hash),
        moment_of(last.at),
        *astuple(item.tip),
        item.actor,
        item.session,
        *(astuple(receipt) if receipt else NO_RECEIPT),
        [_event_record(event) for event in item.events],
        item.seats,
        item.snapshot and astuple(item.snapshot),
        item.birth and astuple(item.birth),
    )


def _event_record(event: Event) -> tuple[object, ...]:
    """Data as jsonb where queries look into it, else as text, which takes two thirds of the bytes."""
    data, body = (event.data, None) if event.type in QUERIED else (None, _text(event.data))
    return event.version, event.type, event.v, data, body, bytes.fromhex(event.hash)


def _text(data: Data) -> str:
    text = msgspec.json.encode(data).decode()
    if NO_CHARACTER in text:  # as text it would be stored, and could not be read as jsonb
        raise ValueError("the database has no character 0")
    return text


def _check(item: Append) -> None:
    first = item.expected + 1
    if not item.events or [event.version for event in item.events] != [*range(first, first + len(item.events))]:
        raise ValueError(f"these events of {item.game} do not follow version {item.expected}")
    if len({event.at for event in item.events}) > 1:
        raise ValueError(f"{item.game} at version {item.expected}: the events of one command have one time")
    if (item.expected == 0) != (item.birth is not None):
        raise ValueError(f"{item.game} at version {item.expected}: a game is created by its first event, and once")
