"""The log in the database: appends batches of commands and reads games back; the only writer of events, and it decides
nothing about them.

Every function takes an asynchronous connection in autocommit and makes one round trip.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from psycopg import AsyncConnection

from games.game.event_types import in_order
from games.game.events import GENESIS, Event, stamp
from games.log.append import CALL, Append, Receipt, Snapshot, parameters
from games.log.prepared_query import Row, fetch
from players.database.timeouts import watched

OF_ALL_S = 600.0  # what reads every game there is may take its time
# Plans are kept for as long as a connection lives: one made while the tables were small must not read them whole when
# they have grown, and none is worth making anew for the length of an array.
PLANS = "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan"


class StoredReceipt(NamedTuple):
    """What the first command with a key appended, and where."""

    fingerprint: bytes
    game: UUID
    first_version: int
    last_version: int


class Outcome(NamedTuple):
    """What became of one `Append`.

    ok: stored. conflict: the log has moved on, by `events`. duplicate: its key was used before, see `receipt`.
    missing: no such game. revoked: its session may append nothing. code_taken: the join code belongs to another game.
    failed: the database would not have it, see `error`. Nothing of what is not ok is stored.
    """

    status: str
    events: tuple[Event, ...] = ()
    receipt: StoredReceipt | None = None
    error: Exception | None = None


class Loaded(NamedTuple):
    """What a command needs to go on from, where the game is not in memory."""

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
    snapshot: Snapshot | None
    since: tuple[Event, ...]  # the snapshot, or of all

    def __repr__(self) -> str:
        return f"Loaded({self.ruleset} at {self.version})"  # never the secrets


OK = Outcome("ok")

LOAD = b"""
    SELECT game.id, game.version, head_hash, updated_at, status, deadline_at, ruleset, sheet, visibility, rated, clock,
           seats, code, secret, bot_secret, snapshot.version, schema, state,
           (SELECT jsonb_agg(jsonb_build_array(version, type, v, at, data, hash) ORDER BY version)
              FROM games_log(game.id, coalesce(snapshot.version, 0)))
      FROM games_game AS game
           JOIN games_seed AS seed ON seed.game_id = game.id AND seed.game_id = ANY ($1)
           LEFT JOIN games_snapshot AS snapshot ON snapshot.game_id = game.id AND snapshot.game_id = ANY ($1)
     WHERE game.id = ANY ($1)
"""  # said of every table: the database draws no such conclusion, and would read them whole while they are small
EVENTS = b"SELECT * FROM games_log($1, $2) ORDER BY version LIMIT $3"
NOTE = b"""
    INSERT INTO games_receipt (player, key, fingerprint, game_id, first_version, last_version)
    SELECT $1, $2, $3, id, version + 1, version FROM games_game WHERE id = $4 AND version = $5
    ON CONFLICT DO NOTHING
    RETURNING key
"""
PLAYING = b"""
    SELECT seat.player, game.id, (game.waiting >> seat.seat) & 1 = 1
      FROM games_seat AS seat, LATERAL (
               SELECT id, waiting FROM games_game WHERE id = seat.game_id AND status = 'playing' OFFSET 0) AS game
     WHERE seat.player = ANY ($1)
"""  # OFFSET: game by game, however few there are
RECEIPT = b"SELECT fingerprint, game_id, first_version, last_version FROM games_receipt WHERE player = $1 AND key = $2"


async def connect(conninfo: str) -> AsyncConnection[Any]:
    connection = await AsyncConnection.connect(conninfo, autocommit=True)
    await keep_plans(connection)
    return connection


async def keep_plans(connection: AsyncConnection[Any]) -> None:
    """Planning takes longer than most of what is asked here."""
    with watched(connection):
        await connection.execute(PLANS)


async def append(connection: AsyncConnection[Any], items: Sequence[Append]) -> list[Outcome]:
    """Stores what can be stored, all in one transaction, and says for each item, in order, what became of it."""
    try:
        return await _append(connection, items)
    except (psycopg.Error, msgspec.MsgspecError, ValueError, TypeError) as error:
        if connection.closed:
            raise
        if len(items) > 1:  # one bad item fails alone
            return [outcome for item in items for outcome in await append(connection, [item])]
        if isinstance(error, psycopg.errors.UniqueViolation):
            return await _again(connection, items)
        return [Outcome("failed", error=error)]


async def _again(connection: AsyncConnection[Any], items: Sequence[Append]) -> list[Outcome]:
    """A new game that met another's id or code while that was being stored: now it is, and can be looked at."""
    try:
        return await _append(connection, items)
    except psycopg.Error as error:
        if connection.closed:
            raise
        return [Outcome("failed", error=error)]


async def _append(connection: AsyncConnection[Any], items: Sequence[Append]) -> list[Outcome]:
    if len({item.game.int for item in items}) < len(items):
        raise ValueError("two commands for one game have to go one after the other")
    why = {game: reasons for game, *reasons in await fetch(connection, CALL, parameters(items))}
    return [_refusal(item, *why[item.game]) if item.game in why else OK for item in items] if why else [OK] * len(items)


def _refusal(item: Append, status: str, receipt: Row | None, events: list[Row] | None) -> Outcome:
    if receipt:
        fingerprint, game, *versions = receipt
        return Outcome(status, receipt=StoredReceipt(bytes.fromhex(fingerprint), UUID(game), *versions))
    return Outcome(status, events=tuple(_chained(item.game, item.expected, events or ())))


async def load(connection: AsyncConnection[Any], game: UUID) -> Loaded | None:
    """The tip of a game with its seeds, and what it takes to know the whole of it."""
    return (await load_many(connection, [game])).get(game)


async def load_many(connection: AsyncConnection[Any], games: Sequence[UUID]) -> dict[UUID, Loaded]:
    """The tips of many games in one round trip."""
    return {row[0]: _loaded(*row) for row in await fetch(connection, LOAD, (list(games),))}


def _loaded(game: UUID, version: int, head_hash: bytes, updated_at: datetime, *others: Any) -> Loaded:
    *row, kept, schema, state, since = others
    row += [None if state is None else Snapshot(kept, schema, state), tuple(_chained(game, kept or 0, since or ()))]
    return Loaded(version, head_hash.hex(), stamp(updated_at), *row)


async def events_after(
    connection: AsyncConnection[Any], game: UUID, version: int, limit: int | None = None
) -> list[Event]:
    """The log of a game beyond a version, oldest first."""
    rows = await fetch(connection, EVENTS, (game, version, limit if limit is None or not version else limit + 1))
    return list(_chained(game, version, rows))


async def version(connection: AsyncConnection[Any], game: UUID) -> int | None:
    """Where a game's log ends: the cheapest way to learn that one still knows all of it."""
    rows = await fetch(connection, b"SELECT version FROM games_game WHERE id = $1", (game,))
    return rows[0][0] if rows else None


async def versions(connection: AsyncConnection[Any], games: list[UUID]) -> dict[UUID, int]:
    """Where the logs of many games end."""
    rows = await fetch(connection, b"SELECT id, version FROM games_game WHERE id = ANY ($1)", (games,))
    return {row[0]: row[1] for row in rows}


async def playing(connection: AsyncConnection[Any], players: list[UUID]) -> list[tuple[UUID, UUID, bool]]:
    """The games under way of these players, and whether they wait for them."""
    return [(row[0], row[1], row[2]) for row in await fetch(connection, PLAYING, (players,))]


async def game_with_code(connection: AsyncConnection[Any], code: str) -> UUID | None:
    rows = await fetch(connection, b"SELECT id FROM games_game WHERE code = $1", (code,))
    return rows[0][0] if rows else None


async def all_games(connection: AsyncConnection[Any]) -> list[UUID]:
    """Every game there is, or of which there is a log, oldest first."""
    query = b"SELECT id FROM games_game UNION SELECT game_id FROM games_event ORDER BY 1"
    return [row[0] for row in await fetch(connection, query, (), OF_ALL_S)]


async def note(connection: AsyncConnection[Any], game: UUID, version: int, receipt: Receipt) -> bool:
    """Keeps the receipt of a command that had nothing to append; not if the game has moved on or the key was used."""
    parameters = (receipt.player, receipt.key, receipt.fingerprint, game, version)
    return bool(await fetch(connection, NOTE, parameters))


async def receipt(connection: AsyncConnection[Any], player: UUID, key: str) -> StoredReceipt | None:
    """What a player's earlier command with this key appended."""
    rows = await fetch(connection, RECEIPT, (player, key))
    return StoredReceipt(*rows[0]) if rows else None


def _chained(game: UUID, version: int, rows: Iterable[Row]) -> Iterable[Event]:
    """Rows as events, each with the hash before it; the row at `version` itself comes first, for its hash."""
    rows = iter(rows)
    prev = GENESIS if version == 0 else next(rows, (GENESIS,))[-1]
    for number, type_, v, at, data, digest in rows:
        yield Event(str(game), number, type_, v, at, in_order(type_, data), prev, digest)
        prev = digest
