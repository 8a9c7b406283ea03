"""The wait for announced client seeds, ended by real workers and raced by seeds."""

import asyncio
from collections import Counter
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

from psycopg import AsyncConnection

from games.engine.engine import Engine
from games.timekeeping import deadlines
from players.database.ids import uuid_of
from tests.timekeeping.celery_processes import now, simulate_outage, timeouts, types, until, worker
from tests.timekeeping.waiting_games import give_seed, waiting_game

Database = AsyncConnection[Any]
LATEST_S = 2.0  # contract, section 8
STARTED = ["time_ran_out", "game_started", "turn_started"]


async def test_workers_start_each_waiting_game_once_and_in_time_though_one_is_killed(
    engine: Engine, connection: Database
) -> None:
    with ExitStack() as stack:
        workers = [stack.enter_context(worker()) for _ in range(2)]
        for process in workers:
            process.wait_for("ready.")
        games = await asyncio.gather(*(waiting_game(engine, 4) for _ in range(100)))
        await until(lambda: timeouts(connection))
        workers[0].process.kill()
        await until(lambda: has_started(connection, 100))
    enforced = await timeouts(connection)
    assert Counter((str(game), due) for game, due, _ in enforced) == Counter((g.id, g.deadline) for g in games)
    assert 0 <= min(late for _, _, late in enforced) <= max(late for _, _, late in enforced) <= LATEST_S
    for game in games:
        assert (await types(connection, game))[3:6] == STARTED


async def has_started(connection: Database, number: int) -> bool:
    return len(await timeouts(connection)) >= number


async def test_an_outage_extends_the_wait_once_and_then_the_game_starts(engine: Engine, connection: Database) -> None:
    with worker() as first:
        first.wait_for("ready.")
        game = await waiting_game(engine, 3 - 60)
        first.process.kill()
        first.process.wait()
    await simulate_outage(connection)
    with worker():
        await until(lambda: has_started(connection, 1))
    assert (await types(connection, game))[3:7] == ["time_credited", *STARTED]  # a worker may play on


async def test_a_seed_and_its_deadline_at_once_start_the_game_once(
    engine: Engine, conninfo: str, connection: Database
) -> None:
    other = Engine(conninfo)
    await other.open()
    for delay_ms in range(-8, 9, 2):
        game = await waiting_game(engine, 0.1)
        await asyncio.sleep(0.1 + delay_ms / 1000)
        code, _, _ = await asyncio.gather(
            give_seed(engine, game),
            deadlines.expire(other, uuid_of(game.id), now()),
            deadlines.expire(engine, uuid_of(game.id), now()),
        )
        await deadlines.expire(engine, uuid_of(game.id), now() + timedelta(seconds=1))
        stored = await types(connection, game)
        assert stored.count("game_started") == 1
        assert code in ("", "too_late", "game_not_open")
        assert stored[3:5] == (["seed_given", "game_started"] if code == "" else ["time_ran_out", "game_started"])
    await other.close()
