"""Fixtures: an engine in the test process, and Celery queues without tasks of other tests."""

from collections.abc import AsyncIterator

import pytest
import redis
from django.conf import settings

from games.engine.engine import Engine


@pytest.fixture(autouse=True)
def _no_old_tasks() -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete("celery", "time", "bots", "unacked", "unacked_index")


@pytest.fixture
async def engine(conninfo: str) -> AsyncIterator[Engine]:
    engine = Engine(conninfo)
    await engine.open()
    yield engine
    await engine.close()
