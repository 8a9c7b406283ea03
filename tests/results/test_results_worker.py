"""Projection by real workers: started by a commit, and unharmed by kills and a loss of Redis."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
import redis
from django.conf import settings
from django.core.management import call_command

from games.log.reads import finished_games
from games.results.projector import EVER
from games.tasks import project_results
from players.models import Checkpoint
from tests.api.client import Player, table
from tests.results import reference
from tests.results.game_logs import exports, people, season, stored
from tests.results.stored_results import stored_results, tables
from tests.server import database_url
from tests.streams.client import Socket

GAMES = 1000
TIMEOUT_S = 60


@contextlib.contextmanager
def worker() -> Iterator[subprocess.Popen[bytes]]:
    """A worker without child processes that would outlive a kill."""
    options = ["worker", "--pool=solo", "--without-mingle", "--without-gossip"]
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "celery", "--quiet", "--app=qwixx_service", *options],
        env={**os.environ, "DATABASE_URL": database_url()},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(TIMEOUT_S)


def until(happened: Callable[[], bool]) -> None:
    """Poll the database: another process fulfils the condition."""
    deadline = time.monotonic() + TIMEOUT_S
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.django_db(transaction=True)
def test_projections_survive_a_killed_worker_and_a_loss_of_redis() -> None:
    games = stored(season(people(60), GAMES))
    with redis.Redis.from_url(settings.REDIS_URL) as client, worker() as doomed:
        client.flushdb()
        project_results.apply_async(kwargs={"is_thorough": True}, retry=False)
        until(lambda: Checkpoint.objects.exists())
        doomed.send_signal(signal.SIGKILL)
        doomed.wait(TIMEOUT_S)
        client.flushdb()
        assert 0 < len(finished_games.unprojected(EVER, GAMES)) < GAMES
        with worker():
            project_results.apply_async(kwargs={"is_thorough": True}, retry=False)
            until(lambda: not finished_games.unprojected(EVER, 1))
    projected = tables()
    assert stored_results() == reference.compute(exports(games))
    call_command("rebuild_projections")
    assert tables() == projected


async def test_the_commit_that_ends_a_game_starts_its_projection_without_beat(
    server: str, ann: Player, bob: Player
) -> None:
    """Through web process, Redis, worker and `me` stream."""
    async with await Socket.open(server, "/ws/v1/me", ann.token) as mine:
        await mine.until(lambda frame: frame["type"] == "hello")
        with worker():
            game = await table([ann, bob], rated=True)
            await bob.act(game, {"type": "resign"})
            message = await mine.until(lambda frame: frame["type"] == "rating_changed")
    board = await ann.get("/leaderboards/qwixx/rating")
    assert (message["game"], message["ruleset"]) == (game["id"], "qwixx")
    assert message["rating"] == {"value": board["you"]["value"], "before": 1000, "provisional": True}
