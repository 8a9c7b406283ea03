"""Shared counters: processes add up in Redis, and a Redis that is away loses no count."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis.asyncio
from django.conf import settings
from redis.exceptions import ConnectionError as RedisConnectionError

from games.metrics import shared_counters
from games.metrics.shared_counters import SharedCounterCollector
from players.telemetry.shared_counter import SharedCounter


@pytest.fixture
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """A client, and a key that no other process adds to."""
    async with redis.asyncio.from_url(settings.REDIS_URL) as client:
        await shared_counters.flush(client)
        monkeypatch.setattr(shared_counters, "KEY", "shared counters of this test")
        yield client
        await client.delete(shared_counters.KEY)


def sample_value(text: str) -> float:
    found = [
        sample.value
        for family in SharedCounterCollector(settings.REDIS_URL).collect()
        for sample in family.samples
        if f"{sample.name}{''.join(sample.labels.values())}" == text
    ]
    return found[0]


async def test_counts_of_several_flushes_add_up(client: Any) -> None:
    for seconds in (0.02, 0.1, 7.0, 99.0):
        shared_counters.DEADLINE_LATENESS.count(seconds)
        await shared_counters.flush(client)
    name = shared_counters.DEADLINE_LATENESS.name
    assert [sample_value(f"{name}_bucket{bound}") for bound in ("0.01", "0.025", "0.1", "30", "+Inf")] == [
        0,
        1,
        2,
        3,
        4,
    ]
    assert sample_value(f"{name}_sum") == pytest.approx(106.12)
    assert sample_value(f"{name}_count") == 4


async def test_a_failed_flush_keeps_its_counts_for_the_next_one(client: Any) -> None:
    shared_counters.BOT_FAILURES.count()
    async with redis.asyncio.from_url("unix:///nowhere/valkey.sock") as unreachable:
        with pytest.raises(RedisConnectionError):
            await unreachable.ping()
        await shared_counters.flush(unreachable)
    await shared_counters.flush(client)
    assert sample_value("qwixx_bot_failures_total") == 1


def test_the_collector_gives_no_numbers_and_no_error_without_redis() -> None:
    assert list(SharedCounterCollector("unix:///nowhere/valkey.sock").collect()) == []


def test_a_shared_counter_without_buckets_is_a_prometheus_counter() -> None:
    assert SharedCounter("t", "meaning").family({"t sum": 3.0}).samples[0].value == 3.0
