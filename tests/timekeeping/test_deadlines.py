"""Deadlines enforced by real workers: each once and in time, though processes are killed or missing."""

import asyncio
import signal
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from psycopg import AsyncConnection

from games.engine.engine import Engine
from games.game.aggregate import GameState
from tests.server import web_process
from tests.timekeeping.celery_processes import (
    beat,
    new_game,
    new_game_that_waits_for_a_bot,
    simulate_outage,
    timeouts,
    types,
    until,
    worker,
)

Database = AsyncConnection[Any]
LATEST_S = 2.0  # contract, section 8
GAMES = 300


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
async def test_workers_enforce_deadlines_once_and_in_time_though_one_worker_fails(
    engine: Engine, connection: Database, tmp_path: Path, fault: signal.Signals
) -> None:
    """The leases of a worker that is frozen end as those of one that is dead."""
    with ExitStack() as stack:
        workers = [stack.enter_context(worker()) for _ in range(2)]
        for _ in range(2):
            stack.enter_context(beat(tmp_path))
        for process in workers:
            process.wait_for("ready.")
        games = await asyncio.gather(*(new_game(engine, due_in_s=5) for _ in range(GAMES)))
        wanted = {(game.id, game.deadline) for game in games}
        await until(lambda: timeouts(connection))
        workers[0].process.send_signal(fault)
        stack.callback(workers[0].process.kill)
        await until(lambda: has_timeouts(connection, GAMES))
    enforced = await timeouts(connection)
    assert Counter((str(game), deadline) for game, deadline, _ in enforced) == Counter(wanted)
    assert 0 <= min(late for _, _, late in enforced) <= max(late for _, _, late in enforced) <= LATEST_S
    assert {tuple(await types(connection, game))[-2:] for game in games} == {("time_ran_out", "dice_rolled")}


async def has_timeouts(connection: Database, number: int) -> bool:
    return len(await timeouts(connection)) >= number


async def test_a_worker_enforces_deadlines_without_beat_and_without_redis(engine: Engine, connection: Database) -> None:
    with worker(REDIS_URL="unix:///nowhere/valkey.sock?db=0"):
        game = await new_game(engine, due_in_s=-5)
        with_bot = await new_game_that_waits_for_a_bot(engine, visibility="private", clock=None)
        await until(lambda: timeouts(connection))
        await until(lambda: has_moved(connection, with_bot))
    assert "time_credited" not in await types(connection, game)


async def has_moved(connection: Database, game: GameState) -> bool:
    return {"dice_rolled", "answer_sealed"} <= set(await types(connection, game))


async def test_a_new_worker_credits_an_outage_to_each_deadline_and_then_enforces_it(
    engine: Engine, connection: Database
) -> None:
    with worker() as first:
        first.wait_for("ready.")
        games = [await new_game(engine, due_in_s=3 - 60) for _ in range(20)]
        first.process.kill()
        first.process.wait()
    await simulate_outage(connection)
    with worker():
        await until(lambda: has_timeouts(connection, 20))
    for game in games:
        events = await types(connection, game)
        assert events.count("time_credited") == events.count("time_ran_out") == 1
        assert events.index("time_credited") < events.index("time_ran_out")
    assert all(late >= 0 for _, _, late in await timeouts(connection))  # the benchmark measures how late


async def test_a_web_process_enforces_deadlines_while_no_worker_runs(engine: Engine, connection: Database) -> None:
    with web_process(WEB_SWEEPS="on"):
        game = await new_game(engine, due_in_s=-5)
        await until(lambda: timeouts(connection))
    assert (await types(connection, game)).count("time_ran_out") == 1
