"""What an action, a list, a board and a cold load cost beside ever more finished games, and the bytes of a game.
Beside the most games: what 1, 2 and 4 web processes do and how much memory they have.

GROWTH names the numbers of games; events and receipts are stored for GROWTH_LOGS of them, as a million logs need 80 GB.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from random import Random
from statistics import median
from typing import Any
from uuid import UUID

import psycopg

from bench.engine import growth_seeding
from bench.network import growing_processes
from bench.report import Line
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.log.reads import game_filters
from games.log.reads.game_filters import GameFilters
from games.log.reads.summaries import summaries, with_details
from games.runtime import conninfo
from players.database.ids import uuid7
from players.models import Leaderboard
from players.ratings.leaderboard_pages import LeaderboardReader
from tests.engine.games import NOW, create, join

SIZES = [int(size) for size in os.environ.get("GROWTH", "1000,20000").split(",")]
LOGS = int(os.environ.get("GROWTH_LOGS", "20000"))
RAW_TABLE = "CREATE TABLE IF NOT EXISTS bench_growth (id uuid, n int, data text, PRIMARY KEY (id, n))"
MODELS, MOVES, READS = 12, 400, 60
MOST_GROWTH = 1.2  # of an action from the first number of games to the last


def measure() -> Iterator[Line]:
    models = asyncio.run(_played())
    first, relative = 1, []
    with psycopg.connect(conninfo(), autocommit=True) as connection:
        for size in SIZES:
            growth_seeding.grow(connection, models, first, size, LOGS)
            connection.execute("CHECKPOINT")
            first = size + 1
            action, raw, cold = asyncio.run(_costs(connection, min(size, LOGS)))
            relative.append(action / raw)
            yield Line(f"an action, {size:,} finished games", 1e3 * action, "ms")
            yield Line("  … to a raw INSERT", action / raw, "times")
            yield Line(f"a cold load, {size:,} finished games", 1e3 * cold, "ms")
            yield Line(f"a list of 20 finished games, of {size:,}", 1e3 * _list_s(), "ms")
            yield Line(f"the first page of a board of {size // 5:,} players", 1e3 * _board_s(), "ms")
        yield from _bytes(connection, min(SIZES[-1], LOGS), SIZES[-1])
    yield from growing_processes.measure()
    growth = relative[-1] / relative[0]
    yield Line("an action, the most games to the fewest", growth, "times", MOST_GROWTH, is_ceiling=True)


async def _played() -> list[GameState]:
    engine = Engine(conninfo())
    await engine.open()
    try:
        return [await growth_seeding.played(engine, number) for number in range(MODELS)]
    finally:
        await engine.close()


async def _costs(connection: psycopg.Connection[Any], with_log: int) -> tuple[float, float, float]:
    """Medians in seconds: of an action of a game in memory, of a raw INSERT in turn with it, so that both share the
    other load of the machine, and of reading the log of a game that is not in memory."""
    engine, luck = Engine(conninfo()), Random(len(SIZES))
    await engine.open()
    try:
        under_way = [await _started(engine) for _ in range(20)]
        connection.execute(RAW_TABLE)
        actions, raw = [], []
        for number in range(MOVES):
            raw.append(_raw_s(connection))
            place = number % len(under_way)
            began = time.perf_counter()
            game = await growth_seeding.moved(engine, under_way[place], luck)
            actions.append(time.perf_counter() - began)
            under_way[place] = await _started(engine) if game.is_over else game
        numbers = [luck.randint(1, with_log) for _ in range(READS)]
        ids = [row[0] for row in connection.execute("SELECT id FROM bench_copy WHERE n = ANY (%s)", [numbers])]
        return median(actions), median(raw), median([await _cold_s(engine, game) for game in ids])
    finally:
        await engine.close()


def _raw_s(connection: psycopg.Connection[Any]) -> float:
    began = time.perf_counter()
    connection.execute("INSERT INTO bench_growth VALUES (%s, 1, %s)", [uuid7(), "x" * 300])
    return time.perf_counter() - began


async def _started(engine: Engine) -> GameState:
    one, other = uuid7(), uuid7()
    game = (await create(engine, one)).game
    return (await engine.submit(UUID(game.id), join(other), NOW)).game


async def _cold_s(engine: Engine, game: UUID) -> float:
    """Only the log, as the snapshot of a copy names its model."""
    began = time.perf_counter()
    await engine.log(game)
    return time.perf_counter() - began


def _list_s() -> float:
    def page() -> float:
        began = time.perf_counter()
        games = game_filters.games(GameFilters(status=("finished",))).order_by("-id")
        if len(summaries(with_details(games, "pk")[:20])) != 20:
            raise RuntimeError("the list is not full")
        return time.perf_counter() - began

    return median(page() for _ in range(READS))


def _board_s() -> float:
    reader = LeaderboardReader(Leaderboard.objects.get(ruleset="growth").pk, "points")

    def page() -> float:
        began = time.perf_counter()
        reader.page(uuid7(), 20)
        return time.perf_counter() - began

    return median(page() for _ in range(READS))


def _bytes(connection: psycopg.Connection[Any], with_log: int, games: int) -> Iterator[Line]:
    sizes = dict(growth_seeding.sizes(connection))
    (events,) = connection.execute("SELECT count(*) FROM games_event").fetchone() or (0,)
    logs = sizes["games_event"]
    yield Line("events of a game", events / with_log, "")
    yield Line("bytes of an event, with its indexes", logs / events, "bytes")
    yield Line("the events of a game", logs / with_log / 1000, "kB", 40, is_ceiling=True)
    yield Line("the receipts of a game", sizes["games_receipt"] / with_log / 1000, "kB")
    others = sum(size for table, size in sizes.items() if table not in growth_seeding.WITH_LOG)
    yield Line("row, seats, seed and snapshot of a game, which stay", others / games / 1000, "kB")
