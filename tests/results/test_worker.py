"""Real workers: a hint is enough; and one that is killed among a thousand games, with Redis lost, changes nothing."""

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

from games.log import finished_games
from games.results_tasks import EVER, settle
from players.models import Checkpoint
from tests.api.client import Player, table
from tests.results import naive
from tests.results.logs import exports, people, season, stored
from tests.results.stored import as_worked_out, tables
from tests.server import database_url
from tests.streams.client import Socket

GAMES = 1000
PATIENCE_S = 60


@contextlib.contextmanager
def worker() -> Iterator[subprocess.Popen[bytes]]:
    """One process that is the whole worker: there are no children that would live on."""
    options = ["worker", "--pool=solo", "--loglevel=WARNING", "--without-mingle", "--without-gossip"]
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "celery", "--quiet", "--app=qwixx_service", *options],
        env={**os.environ, "DATABASE_URL": database_url()},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE_S)


def until(happened: Callable[[], bool]) -> None:
    """The database has no event for it; it is asked again and again."""
    deadline = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_and_a_lost_redis_change_nothing() -> None:
    games = stored(season(people(60), GAMES))
    with redis.Redis.from_url(settings.REDIS_URL) as client, worker() as doomed:
        client.flushdb()
        settle.apply_async(kwargs={"is_thorough": True}, retry=False)
        until(lambda: Checkpoint.objects.exists())
        doomed.send_signal(signal.SIGKILL)
        doomed.wait(PATIENCE_S)
        client.flushdb()
        assert 0 < len(finished_games.untaken(EVER, GAMES)) < GAMES
        with worker():
            settle.apply_async(kwargs={"is_thorough": True}, retry=False)
            until(lambda: not finished_games.untaken(EVER, 1))
    taken_in = tables()
    assert as_worked_out() == naive.work_out(exports(games))
    call_command("rebuild_projections")
    assert tables() == taken_in


async def test_a_game_that_ends_is_on_the_boards_and_told_without_waiting_for_beat(
    server: str, ann: Player, bob: Player
) -> None:
    """Web process, Redis, worker, `me` stream: nobody but the hint after the commit tells of the end."""
    async with await Socket.open(server, "/ws/v1/me", ann.token) as mine:
        await mine.until(lambda frame: frame["type"] == "hello")
        with worker():
            game = await table([ann, bob], rated=True)
            await bob.act(game, {"type": "resign"})
            told = await mine.until(lambda frame: frame["type"] == "rating_changed")
    board = await ann.get("/leaderboards/qwixx/rating")
    assert (told["game"], told["ruleset"]) == (game["id"], "qwixx")
    assert told["rating"] == {"value": board["you"]["value"], "before": 1000, "provisional": True}
