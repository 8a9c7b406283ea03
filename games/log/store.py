"""Appends batches of commands to the log and reads games back, one round trip per function."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

import asyncpg

from games.game.event_types import in_order
from games.game.events import GENESIS, Event, stamp
from games.log.append_record import Append, NewReceipt, SnapshotRow, record
from games.log.connections import Connection, is_lost

ALL_GAMES_S = 600.0  # for the query that reads the id of every game

Status = Literal["ok", "conflict", "duplicate", "missing", "revoked", "code_taken", "failed"]


class GameInProgress(NamedTuple):
    """A game in progress of a player."""

    player: UUID
    game: UUID
    is_waiting: bool  # for this player
    version: int


class StoredReceipt(NamedTuple):
    """The versions that the first command with a key appended, and to which game."""

    fingerprint: bytes
    game: UUID
    first_version: int
    last_version: int


class Outcome(NamedTuple):
    """The outcome of one `Append`. Unless it is ok, nothing of it is stored.

    conflict: other events were appended first, see `events`. duplicate: its key was used before, see `receipt`.
    missing: no such game. revoked: its session may append nothing. code_taken: another game has the join code.
    failed: see `error`.
    """

    status: Status
    events: tuple[Event, ...] = ()
    receipt: StoredReceipt | None = None
    error: Exception | None = None


class Loaded(NamedTuple):
    """A stored game: its row, its seeds, its last snapshot and the events since."""

    version: int
    head_hash: str
    at: str
    status: str
    deadline_at: datetime | None
    ruleset: str
    sheet: str
    visibility: str
    rated: bool
    clock: dict[str, Any] | None
    seats: int
    code: str
    secret: bytes
    bot_secret: bytes
    snapshot: SnapshotRow | None
    since: tuple[Event, ...]  # after the snapshot; all events where there is none

    def __repr__(self) -> str:
        return f"Loaded({self.ruleset} at {self.version})"  # never the secrets


OK = Outcome("ok")

LOAD = """
    SELECT game.id, game.version, head_hash, updated_at, status, deadline_at, ruleset, sheet, visibility, rated, clock,
           seats, code, secret, bot_secret, snapshot.version, schema, state,
           (SELECT jsonb_agg(jsonb_build_array(version, type, v, at, data, hash) ORDER BY version)
              FROM games_log(game.id, coalesce(snapshot.version, 0))),
           archived.version, archived.hash
      FROM games_game AS game
           JOIN games_seeds($1) AS seed ON seed.game_id = game.id
           LEFT JOIN games_snapshot AS snapshot ON snapshot.game_id = game.id AND snapshot.game_id = ANY ($1)
           LEFT JOIN games_archivedgame AS archived ON archived.game_id = game.id AND archived.game_id = ANY ($1)
     WHERE game.id = ANY ($1)
"""  # the condition is repeated for each table: PostgreSQL does not derive it, and would scan small tables
EVENTS = "SELECT * FROM games_log($1, $2) ORDER BY version LIMIT $3"
NOTE = "SELECT games_note($1, $2, $3, $4, $5)"
PLAYING = """
    SELECT seat.player, game.id, (game.waiting >> seat.seat) & 1 = 1, game.version
      FROM games_seat AS seat, LATERAL (
               SELECT id, waiting, version FROM games_game WHERE id = seat.game_id AND status = 'playing' OFFSET 0
           ) AS game
     WHERE seat.player = ANY ($1)
"""  # OFFSET 0 keeps the look-up by index for each game
RECEIPT = "SELECT fingerprint, game_id, first_version, last_version FROM games_receipt WHERE player = $1 AND key = $2"
APPEND = "SELECT * FROM games_append_v2($1, $2)"


async def append(connection: Connection, items: Sequence[Append], *, may_retry: bool = True) -> list[Outcome]:
    """Store what can be stored, in one transaction. The outcomes are in the order of the items."""
    sessions = sorted({item.session for item in items if item.session})  # the order of their locks
    try:
        if len({item.game.int for item in items}) < len(items):
            raise ValueError("two commands for one game are stored one after the other")
        rows = await connection.fetch(APPEND, [record(item) for item in items], sessions)
    except (asyncpg.PostgresError, ValueError, TypeError) as error:
        if connection.is_closed() or is_lost(error):
            raise
        return await _append_singly(connection, items, error, may_retry=may_retry)
    refused = {row["game"]: row for row in rows}
    return [_refusal(item, refused[item.game]) if item.game in refused else OK for item in items]


async def _append_singly(
    connection: Connection, items: Sequence[Append], error: Exception, *, may_retry: bool
) -> list[Outcome]:
    """One bad item fails alone, and two commands for one game follow each other. A new game may have met the id or code
    of a game that was being stored and is visible by now: it is tried once more."""
    if len(items) > 1:
        return [outcome for item in items for outcome in await append(connection, [item])]
    if may_retry and isinstance(error, asyncpg.UniqueViolationError):
        return await append(connection, items, may_retry=False)
    return [Outcome("failed", error=error)]


def _refusal(item: Append, row: Any) -> Outcome:
    _, status, *receipt, events = row
    if status == "duplicate":
        return Outcome(status, receipt=StoredReceipt(*receipt))
    return Outcome(status, events=tuple(_chained(item.game, item.expected, events or ())))


async def load(connection: Connection, game: UUID) -> Loaded | None:
    """One stored game; None: there is no such game."""
    return (await load_many(connection, [game])).get(game)


async def load_many(connection: Connection, games: Sequence[UUID]) -> dict[UUID, Loaded]:
    """Many stored games in one round trip."""
    return {row[0]: _loaded(*row) for row in await connection.fetch(LOAD, list(games))}


def _loaded(game: UUID, version: int, head_hash: bytes, updated_at: datetime, *others: Any) -> Loaded:
    *row, kept, schema, state, since, archived, archived_hash = others
    anchor = archived_hash.hex() if archived is not None and archived == kept else None
    row += [None if state is None else SnapshotRow(kept, schema, state)]
    row += [tuple(_chained(game, kept or 0, since or (), anchor))]
    return Loaded(version, head_hash.hex(), stamp(updated_at), *row)


async def events_after(connection: Connection, game: UUID, version: int, limit: int | None = None) -> list[Event]:
    """The events of a game after a version, oldest first, as far as they are in the database."""
    return await page(connection, game, version, limit) or []


async def page(connection: Connection, game: UUID, version: int, limit: int | None) -> list[Event] | None:
    """The events after a version. None: the event that they would follow is not here, see `archive.read_through`."""
    rows = await connection.fetch(EVENTS, game, version, limit if limit is None or not version else limit + 1)
    return list(_chained(game, version, rows)) if rows and rows[0][0] == max(version, 1) else None


async def later(connection: Connection, game: UUID, version: int, digest: str, limit: int | None) -> list[Event]:
    """The events after the last archived one, which has this hash."""
    rows = await connection.fetch(EVENTS, game, version + 1, limit)
    return list(_chained(game, version, rows, digest))


async def version(connection: Connection, game: UUID) -> int | None:
    """The last version of a game's log: the cheapest way to see whether a game in memory is up to date."""
    rows = await connection.fetch("SELECT version FROM games_game WHERE id = $1", game)
    return rows[0][0] if rows else None


async def versions(connection: Connection, games: list[UUID]) -> dict[UUID, int]:
    """The last versions of many logs."""
    rows = await connection.fetch("SELECT id, version FROM games_game WHERE id = ANY ($1)", games)
    return {row[0]: row[1] for row in rows}


async def playing(connection: Connection, players: list[UUID]) -> list[GameInProgress]:
    return [GameInProgress(*row) for row in await connection.fetch(PLAYING, players)]


async def game_with_code(connection: Connection, code: str) -> UUID | None:
    rows = await connection.fetch("SELECT id FROM games_game WHERE code = $1", code)
    return rows[0][0] if rows else None


async def applied_migrations(connection: Connection) -> set[tuple[str, str]]:
    try:
        return {(app, name) for app, name in await connection.fetch("SELECT app, name FROM django_migrations")}
    except asyncpg.UndefinedTableError:
        return set()


async def all_games(connection: Connection) -> list[UUID]:
    """Every game that has a row or a log, oldest first."""
    query = "SELECT id FROM games_game UNION SELECT game_id FROM games_event ORDER BY 1"
    return [row[0] for row in await connection.fetch(query, timeout=ALL_GAMES_S)]


async def note(connection: Connection, game: UUID, version: int, receipt: NewReceipt) -> bool:
    """Store the receipt of a command that appends nothing. False: the game has a newer version, or the key was used."""
    row = (receipt.player, receipt.key, receipt.fingerprint, game, version)
    return bool(await connection.fetchval(NOTE, *row))


async def receipt(connection: Connection, player: UUID, key: str) -> StoredReceipt | None:
    """The receipt of a player's earlier command with this key."""
    rows = await connection.fetch(RECEIPT, player, key)
    return StoredReceipt(*rows[0]) if rows else None


def _chained(game: UUID, version: int, rows: Iterable[Any], anchor: str | None = None) -> Iterator[Event]:
    """Rows as events, each with the hash before it. After version 0, the row at `version` comes first, for its hash,
    unless it is archived: then `anchor` is that hash. Rows that follow neither give no events."""
    rows = list(rows)
    if version == 0:
        prev = GENESIS
    elif rows and rows[0][0] == version:
        prev = rows.pop(0)[-1]
    elif anchor and (not rows or rows[0][0] == version + 1):
        prev = anchor
    else:
        return
    for number, type_, v, at, data, digest in rows:
        yield Event(str(game), number, type_, v, at, in_order(type_, data), prev, digest)
        prev = digest
