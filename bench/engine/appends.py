"""The cost of `store.append` beside a raw one-row INSERT through the same driver, both in autocommit and durable."""

import asyncio
import time
from collections.abc import Coroutine
from statistics import median
from typing import Any
from uuid import UUID

from bench.report import Line
from games.game.events import moment_of
from games.log import connections, store
from games.log.append_record import Append, SnapshotRow, Tip
from games.log.connections import Connection
from games.log.snapshots import EVERY
from games.runtime import conninfo
from players.database.ids import uuid7
from tests.log.appends import AT, creation, following, receipt

BURST = 40  # commands of one connection in a row; made beforehand, for deciding and hashing them is no part of storing
TIP = Tip("playing", None, 1, "white", 3)
STATE = bytes(range(256)) * 2 + bytes(138)  # 650 bytes, as games have
DATA = {"seat": 1, "phase": "white"}
RAW_TABLE = """
    CREATE TABLE IF NOT EXISTS bench_raw (
        game_id uuid, version int, type text, v smallint, at timestamptz, data jsonb, hash bytea, actor uuid,
        command text, PRIMARY KEY (game_id, version))
"""
RAW = "INSERT INTO bench_raw VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"


def measure(seconds: float = 4.0) -> list[Line]:
    ratios = asyncio.run(append_against_insert(conninfo(), seconds))
    bars = {1: 0.5}
    return [
        Line(f"append() to a raw INSERT, {connections} connections", ratio, "times", bars.get(connections))
        for connections, ratio in ratios.items()
    ]


async def append_against_insert(conninfo: str, seconds: float) -> dict[int, float]:
    """How many commands of two events are stored in the time of one INSERT of a row with the same data."""
    return {n: await _ratio(conninfo, n, seconds / 2) for n in (1, 8)}


async def _ratio(conninfo: str, count: int, seconds: float) -> float:
    """In turn, in short bursts, so that both sides share the other load of the machine."""
    opened = [await connections.connect(conninfo) for _ in range(count)]
    try:
        await opened[0].execute(RAW_TABLE)
        session = await _new_session(opened[0])
        games = [creation() for _ in opened]
        await store.append(opened[0], games)
        ratios: list[float] = []
        until = time.perf_counter() + seconds
        while time.perf_counter() < until or len(ratios) < 3:
            commands = [_commands(game, session) for game in games]
            games = [each[-1] for each in commands]
            raw = await _timed([_insert(connection, _rows()) for connection in opened])
            ours = await _timed([_append(*each) for each in zip(opened, commands, strict=True)])
            ratios.append(raw / ours)
        return median(ratios[1:])
    finally:
        for connection in opened:
            await connection.close()


async def _timed(bursts: list[Coroutine[Any, Any, None]]) -> float:
    start = time.perf_counter()
    await asyncio.gather(*bursts)
    return time.perf_counter() - start


def _commands(game: Append, session: UUID) -> list[Append]:
    """Each with a key, a session and an actor."""
    commands = [game]
    for number in range(BURST):
        kept = receipt(uuid7().hex)
        command = following(commands[-1], 2, DATA, tip=TIP, actor=kept.player, session=session, receipt=kept)
        is_due = number * 2 % EVERY == 0  # two events each
        commands.append(
            command._replace(snapshot=SnapshotRow(command.events[-1].version, 1, STATE) if is_due else None)
        )
    return commands[1:]


async def _append(connection: Connection, commands: list[Append]) -> None:
    for command in commands:
        (outcome,) = await store.append(connection, [command])
        if outcome.status != "ok":
            raise RuntimeError(outcome)


def _rows() -> list[tuple[Any, ...]]:
    data = [{"row": "red", "number": n, **DATA} for n in range(2)]
    games = [uuid7() for _ in range(BURST)]
    return [(game, 1, "cell_marked", 1, moment_of(AT), data, b"h" * 32, uuid7(), game.hex) for game in games]


async def _insert(connection: Connection, rows: list[tuple[Any, ...]]) -> None:
    for row in rows:
        await connection.fetch(RAW, *row)


async def _new_session(connection: Connection) -> UUID:
    player, session = uuid7(), uuid7()
    await connection.execute(
        """
        INSERT INTO players_player (id, name, password, is_superuser, locale, is_staff, is_active, created_at)
        VALUES ($1, 'Ann', '', false, '', false, true, now())
        """,
        player,
    )
    await connection.execute(
        "INSERT INTO players_session (id, player_id, token_hash, device, created_at) VALUES ($1, $2, $3, '', now())",
        session,
        player,
        session.bytes,
    )
    return session
