"""What leaves a process on the side, tallies and errands: it may be late or lost, but it never holds anybody up."""

import queue
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis.asyncio
from django.conf import settings
from redis.exceptions import ConnectionError as RedisIsAway

from games.live.background_sender import ROOM, BackgroundSender
from games.metrics import shared_counters
from games.metrics.shared_counters import SharedCounter, SharedCounterCollector


@pytest.fixture
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """Under a key that no other process adds to."""
    async with redis.asyncio.from_url(settings.REDIS_URL) as client:
        await shared_counters.flush(client)
        monkeypatch.setattr(shared_counters, "KEY", "tallies of this test")
        yield client
        await client.delete(shared_counters.KEY)


def sample(text: str) -> float:
    found = [
        sample.value
        for family in SharedCounterCollector(settings.REDIS_URL).collect()
        for sample in family.samples
        if f"{sample.name}{''.join(sample.labels.values())}" == text
    ]
    return found[0]


async def test_tallies_of_several_processes_add_up(client: Any) -> None:
    for seconds in (0.02, 0.1, 7.0, 99.0):
        shared_counters.DEADLINE_LATENESS.count(seconds)
        await shared_counters.flush(client)
    name = shared_counters.DEADLINE_LATENESS.name
    assert [sample(f"{name}_bucket{bound}") for bound in ("0.01", "0.025", "0.1", "30", "+Inf")] == [0, 1, 2, 3, 4]
    assert sample(f"{name}_sum") == pytest.approx(106.12)
    assert sample(f"{name}_count") == 4


async def test_what_could_not_be_sent_is_sent_the_next_time(client: Any) -> None:
    shared_counters.BOT_FAILURES.count()
    async with redis.asyncio.from_url("unix:///nowhere/valkey.sock") as nobody:
        with pytest.raises(RedisIsAway):
            await nobody.ping()
        await shared_counters.flush(nobody)
    await shared_counters.flush(client)
    assert sample("qwixx_bot_failures_total") == 1


def test_without_redis_there_are_no_numbers_and_no_error() -> None:
    assert list(SharedCounterCollector("unix:///nowhere/valkey.sock").collect()) == []


def test_a_tally_without_buckets_is_a_counter() -> None:
    assert SharedCounter("t", "meaning").family({"t sum": 3.0}).samples[0].value == 3.0


def test_a_letter_that_cannot_be_sent_does_not_keep_the_next_from_being_sent() -> None:
    sent: queue.SimpleQueue[str] = queue.SimpleQueue()

    def send(letter: str) -> None:
        if letter == "bad":
            raise RedisIsAway
        sent.put(letter)

    outbox = BackgroundSender("test", send)
    for letter in ("first", "bad", "last"):
        outbox.put(letter)
    assert [sent.get(timeout=10), sent.get(timeout=10)] == ["first", "last"]


def test_whoever_puts_letters_into_a_full_outbox_does_not_wait() -> None:
    may_go = threading.Event()
    outbox = BackgroundSender("test", lambda _: may_go.wait(30))
    for number in range(ROOM + 10):
        outbox.put(number)
    may_go.set()
