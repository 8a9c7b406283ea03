"""Appends for tests of the store: games with meaningless facts and a valid chain."""

from typing import Any
from uuid import UUID

from games.game.events import GENESIS, Event, link
from games.log.append_record import Append, Birth, NewReceipt, Tip
from games.log.connections import Connection
from players.database.ids import uuid7

AT = "2026-01-02T03:04:05.000060Z"
TIP = Tip("open")


def facts(game: UUID, after: int, prev: str, count: int, **data: Any) -> tuple[Event, ...]:
    events: list[Event] = []
    for version in range(after + 1, after + 1 + count):
        prev = events[-1].hash if events else prev
        events.append(link(prev, str(game), version, "cell_marked", 1, AT, {"row": "red", "number": version, **data}))
    return tuple(events)


def creation(count: int = 1, **changes: Any) -> Append:
    """A new game; its code is the end of its id, so that it is unique."""
    game = changes.pop("game", uuid7())
    code = changes.pop("code", game.hex[-6:])
    birth = Birth("qwixx", "classic", "public", False, None, 2, code, b"s" * 32, b"b" * 32)  # noqa: FBT003
    new = Append(game, 0, facts(game, 0, GENESIS, count), TIP, seats=(), birth=birth)
    return new._replace(**changes)


def following(before: Append, count: int = 1, data: dict[str, Any] | None = None, **changes: Any) -> Append:
    """A command on top of another."""
    last = before.events[-1]
    events = facts(before.game, last.version, last.hash, count, **data or {})
    return Append(before.game, last.version, events, TIP._replace(status="playing"))._replace(**changes)


def receipt(key: str, player: UUID | None = None, fingerprint: bytes = b"f" * 32) -> NewReceipt:
    return NewReceipt(player or uuid7(), key, fingerprint)


def statuses(outcomes: list[Any]) -> list[str]:
    return [outcome.status for outcome in outcomes]


async def until_waiting(watcher: Connection, pid: int) -> None:
    """Returns once the backend waits for a lock; the database has no event for it, so it is polled."""
    waits = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'"
    while await watcher.fetchval(waits, pid) != 1:
        await watcher.execute("SELECT pg_sleep(0.002)")


async def count(connection: Connection, table: str) -> int:
    return int(await connection.fetchval(f"SELECT count(*) FROM {table}"))  # noqa: S608  (names of our own tables)
