"""One engine per process, on one loop: reached from any thread, and made anew after a fork."""

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from subprocess import run
from typing import Any
from uuid import UUID

import pytest

from games import process
from games.engine import Engine
from games.game import Game
from tests.engine.tables import NOW, next_step, started

pytestmark = pytest.mark.django_db(transaction=True)

FORKED = """
import os, sys, django
django.setup()
from uuid import UUID
from games import process
from tests.engine.tables import NOW, next_step, started
game = process.call(started)
pid = os.fork()
step = lambda engine: engine.submit(UUID(game.id), next_step(game), NOW)
if pid == 0:
    print("child", process.call(step).game.version - game.version, flush=True)
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
after = process.call(lambda engine: engine.read(UUID(game.id))).game
print("parent", after.version - game.version, flush=True)
os._exit(0)
"""


@pytest.fixture(autouse=True)
def _own_process(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(process, "_here", process._Here())
    yield
    process.end()


def test_threads_share_one_engine() -> None:
    games: list[Game] = [process.call(started) for _ in range(8)]

    async def step(engine: Engine, game: Game) -> Game:
        return (await engine.submit(UUID(game.id), next_step(game), NOW)).game

    def play(game: Game) -> int:
        for _ in range(5):
            game = process.call(partial(step, game=game))
        return game.version

    with ThreadPoolExecutor(8) as threads:
        assert all(version > 8 for version in threads.map(play, games))


async def test_an_async_caller_awaits_the_engine_on_its_own_loop() -> None:
    engine = await process.engine()
    assert await process.engine() is engine
    game = await started(engine)
    # A thread of the same process, as a sync view is: it reaches the same engine, on this loop.
    known = await asyncio.to_thread(process.call, lambda engine: engine.read(UUID(game.id)))
    assert known.game == game
    await process.close()


def test_there_is_never_a_second_loop() -> None:
    process.call(started)

    async def elsewhere() -> Engine:
        return await process.engine()

    with pytest.raises(RuntimeError, match="another event loop"):
        asyncio.run(elsewhere())


def test_a_forked_child_makes_its_own() -> None:
    from django.db import connection

    url = os.environ["DATABASE_URL"].replace("/qwixx?", f"/{connection.settings_dict['NAME']}?")
    done = run(
        [sys.executable, "-c", FORKED],
        env={**os.environ, "DATABASE_URL": url},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "child 1\nparent 1\n", done.stderr
