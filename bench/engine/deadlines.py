"""Lateness of deadlines: 10,000 of them with a real worker and beat, and 500 after every worker was killed."""

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from psycopg import AsyncConnection

from bench.report import Line
from games.engine.engine import Engine
from games.metrics import shared_counters
from games.runtime import conninfo
from tests.embedded.launcher import LaunchedProgram
from tests.timekeeping.celery_processes import beat, new_game, now, timeouts, until, worker

PENDING, SPREAD_S = 10_000, 60.0
WATCHED_S = 20.0
HEAD_START_S = 40.0  # the games are created before the first deadline
AFTER_DEATH = 500
OUTAGE_S = 8.0
SLOW = {"roll_s": 3600, "answer_s": 3600}


def measure() -> list[Line]:
    os.environ.setdefault("BOT_DELAY_S", "0")
    return asyncio.run(_measure())


async def _measure() -> list[Line]:
    engine = Engine(conninfo())
    await engine.open()
    try:
        async with await AsyncConnection.connect(conninfo(), autocommit=True) as connection:
            return [*await _pending(engine, connection), *await _after_death(engine, connection)]
    finally:
        await engine.close()


async def _pending(engine: Engine, connection: AsyncConnection[Any]) -> list[Line]:
    await _delete_games(connection)
    began = now()
    with tempfile.TemporaryDirectory() as folder, worker() as one, beat(Path(folder)):
        one.wait_for("ready.")

        async def make(number: int) -> None:
            due_in_s = HEAD_START_S + SPREAD_S * number / PENDING - (now() - began).total_seconds()
            await new_game(engine, due_in_s, clock=SLOW)

        for start in range(0, PENDING, 200):
            await asyncio.gather(*(make(number) for number in range(start, start + 200)))
        ready_s = (now() - began).total_seconds()
        await asyncio.sleep(max(0.0, HEAD_START_S + WATCHED_S - ready_s))
        await until(lambda: _passed(connection, int(PENDING * WATCHED_S / SPREAD_S)))
    late = sorted(seconds for _, _, seconds in await timeouts(connection))
    return [
        Line(f"{PENDING:,} deadlines within {SPREAD_S:g} s: lateness, median", late[len(late) // 2] * 1000, "ms"),
        Line("  … p99", late[len(late) * 99 // 100] * 1000, "ms", 2000, 100, is_ceiling=True),
        Line("  … the latest of the first third", late[-1] * 1000, "ms", 2000, is_ceiling=True),
        Line("  … committed within 100 ms", 100 * _share_within(0.1), "%", 90, 99),
        Line("  … the last game was created before the first deadline by", HEAD_START_S - ready_s, "s", 0),
    ]


async def _after_death(engine: Engine, connection: AsyncConnection[Any]) -> list[Line]:
    await _delete_games(connection)
    with worker() as one:
        one.wait_for("ready.")
        await asyncio.gather(*(new_game(engine, 4 + 4 * n / AFTER_DEATH, clock=SLOW) for n in range(AFTER_DEATH)))
        _kill(one)
    await asyncio.sleep(OUTAGE_S)
    with worker():
        await until(lambda: _passed(connection, AFTER_DEATH), 60)
    late = [seconds for _, _, seconds in await timeouts(connection)]
    query = "SELECT count(DISTINCT game_id), count(*) FROM games_event WHERE type = 'time_credited'"
    credited = await (await connection.execute(query)).fetchone() or (0, 0)
    return [
        Line("every worker killed and started again: credited", credited[0], "deadlines", AFTER_DEATH),
        Line("  … credits per deadline", credited[1] / max(1, credited[0]), "times", 1, is_ceiling=True),
        Line("  … latest after its new time", max(late) * 1000, "ms", 3000, is_ceiling=True),
    ]


def _kill(program: LaunchedProgram) -> None:
    program.process.kill()
    program.process.wait()


async def _passed(connection: AsyncConnection[Any], number: int) -> bool:
    row = await (await connection.execute("SELECT count(*) FROM games_event WHERE type = 'time_ran_out'")).fetchone()
    return bool(row and row[0] >= number)


async def _delete_games(connection: AsyncConnection[Any]) -> None:
    """Delete the games of other parts; the servers are temporary."""
    await connection.execute("SET session_replication_role = replica")  # without triggers
    await connection.execute(
        "TRUNCATE games_game, games_event, games_seat, games_seed, games_receipt, games_pulse, games_outage"
    )
    await connection.execute("RESET session_replication_role")
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(shared_counters.KEY)


def _share_within(seconds: float) -> float:
    """The share of deadlines whose commit followed within `seconds`, from the workers' counters."""
    with redis.Redis.from_url(settings.REDIS_URL, decode_responses=True) as client:
        sums: Any = client.hgetall(shared_counters.KEY)
    tally = shared_counters.DEADLINE_LATENESS
    counts = [float(sums.get(f"{tally.name} {place}", 0)) for place in range(len(tally.buckets) + 1)]
    return sum(counts[: tally.buckets.index(seconds) + 1]) / max(1.0, sum(counts))
