"""One engine per process, on one loop: used from any thread, and started again after a fork."""

import asyncio
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from subprocess import run
from urllib.parse import quote, urlencode
from uuid import UUID

import pytest

from games import runtime
from games.engine.engine import Engine
from games.game.aggregate import GameState
from players.database.timeouts import CONNECT_S
from tests.engine.games import NOW, next_step, started
from tests.server import database_url

pytestmark = pytest.mark.django_db(transaction=True)

FORKED = """
import os, sys, django
django.setup()
from uuid import UUID
from games import runtime
from tests.engine.games import NOW, next_step, started
game = runtime.call(started)
pid = os.fork()
step = lambda engine: engine.submit(UUID(game.id), next_step(game), NOW)
if pid == 0:
    print("child", runtime.call(step).game.version - game.version, flush=True)
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
after = runtime.call(lambda engine: engine.read(UUID(game.id))).game
print("parent", after.version - game.version, flush=True)
os._exit(0)
"""

OPTIONS = {
    "sslmode": "prefer",
    "application_name": "of the operator",
    "options": "-c work_mem=5MB",
    "target_session_attrs": "read-write",
}
CONNECTED = """
import asyncio, django
django.setup()
from games import runtime
from games.log import connections
from psycopg.conninfo import conninfo_to_dict
async def ask():
    async with connections.connected(runtime.conninfo()) as connection:
        for name in ("application_name", "work_mem"):
            print(name, await connection.fetchval(f"SHOW {name}"), sep="=")
asyncio.run(ask())
for name in ("sslmode", "target_session_attrs", "connect_timeout"):
    print(name, conninfo_to_dict(runtime.conninfo())[name], sep="=")
"""


@pytest.fixture(autouse=True)
def _ended_process() -> Iterator[None]:
    yield
    runtime.end()


def test_threads_share_one_engine() -> None:
    games: list[GameState] = [runtime.call(started) for _ in range(8)]

    async def step(engine: Engine, game: GameState) -> GameState:
        return (await engine.submit(UUID(game.id), next_step(game), NOW)).game

    def play(game: GameState) -> int:
        for _ in range(5):
            game = runtime.call(partial(step, game=game))
        return game.version

    with ThreadPoolExecutor(8) as threads:
        assert all(version > 8 for version in threads.map(play, games))


async def test_an_async_caller_awaits_the_engine_on_its_own_loop() -> None:
    engine = await runtime.engine()
    assert await runtime.engine() is engine
    game = await started(engine)
    # A thread of the same process, as of a sync view, uses the same engine, on this loop.
    known = await asyncio.to_thread(runtime.call, lambda engine: engine.read(UUID(game.id)))
    assert known.game == game
    await runtime.close()


def test_there_is_never_a_second_loop() -> None:
    runtime.call(started)

    async def elsewhere() -> Engine:
        return await runtime.engine()

    with pytest.raises(RuntimeError, match="another event loop"):
        asyncio.run(elsewhere())


def output_of(program: str, url: str) -> str:
    """What another process prints that uses this database."""
    done = run(
        [sys.executable, "-c", program],
        env={**os.environ, "DATABASE_URL": url},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_forked_child_starts_its_own_engine() -> None:
    assert output_of(FORKED, database_url()) == "child 1\nparent 1\n"


def test_the_options_of_the_database_address_are_kept() -> None:
    shown = output_of(CONNECTED, f"{database_url()}&{urlencode(OPTIONS, quote_via=quote)}").splitlines()
    wanted = OPTIONS | {"work_mem": "5MB", "connect_timeout": str(CONNECT_S)}
    del wanted["options"]
    assert dict(line.split("=", 1) for line in shown) == wanted
