"""The bridge between processes: commits travel in batches, and to no listener nothing is sent that is in the log."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import redis.asyncio
from django.conf import settings

from games.live import bridge, topics
from games.live.hub import Hub
from games.live.messages import BridgeBatch, SpokenPhrase, decode_batch
from players.database.ids import uuid7
from tests.builders import BEN, CAT, GameDriver

TIMEOUT_S = 10
PUBLISHED = 5
CHANNEL = "games of these tests"  # other processes of the tests listen to the usual one


@pytest.fixture
def table() -> GameDriver:
    table = GameDriver(seats=3)
    table.join(BEN, CAT)
    return table


@asynccontextmanager
async def publishing() -> AsyncIterator[Hub]:
    hub = Hub(settings.REDIS_URL, CHANNEL)
    try:
        yield hub
    finally:
        await hub.stop()


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[Any, Any]]:
    client: Any = redis.asyncio.from_url(settings.REDIS_URL)
    async with client, client.pubsub() as pubsub:
        await pubsub.psubscribe(f"{CHANNEL}:*")
        await pubsub.get_message(timeout=TIMEOUT_S)
        yield client, pubsub


async def next_batch(pubsub: Any, topic: str) -> BridgeBatch:
    while (batch := decode_batch((await pubsub.get_message(timeout=TIMEOUT_S))["data"])).topic != topic:
        pass
    return batch


async def test_the_first_commit_is_published_at_once_and_those_of_the_next_moment_together(
    table: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge, "BATCH_INTERVAL_S", 1.0)  # however slow the machine is
    async with publishing() as hub, listening() as (client, pubsub):
        sizes = []
        for commits in (1, PUBLISHED):
            for _ in range(commits):
                hub.publish(table.game, table.appends[-1])
                for _ in range(3):  # what is published at once has been published after three round trips
                    await client.ping()
            sizes.append(len((await next_batch(pubsub, topics.of_game(table.game.id))).commits))
        assert sizes == [1, PUBLISHED]


async def test_a_process_without_listeners_publishes_nothing(table: GameDriver) -> None:
    """A new listener is told that it missed something, and gets all commits from then on."""
    topic = topics.of_game(table.game.id)
    async with publishing() as hub:
        hub.publish(table.game, table.appends[-1])
        await hub.bridge.flush(TIMEOUT_S)
        async with listening() as (_, pubsub):
            hub.publish(table.game, table.appends[-1])
            assert (await next_batch(pubsub, topics.PROCESSES)).is_partial
            assert [game for game, *_ in (await next_batch(pubsub, topic)).commits] == [table.game.id]
            hub.send_phrase(SpokenPhrase(table.game.id, 1, "well_played", []))
            assert [phrase.key for phrase in (await next_batch(pubsub, topic)).phrases] == ["well_played"]


async def test_a_listener_that_receives_a_partial_batch_reads_the_log(table: GameDriver) -> None:
    checked = asyncio.Event()
    async with publishing() as listener, publishing() as hub:
        hub.publish(table.game, table.appends[-1])
        await hub.bridge.flush(TIMEOUT_S)
        listener.start()
        listener.after_gap.append(checked.set)
        async with asyncio.timeout(TIMEOUT_S):
            await checked.wait()  # at the start of every subscription
            checked.clear()
            hub.publish(table.game, table.appends[-1])
            await checked.wait()


class Deaf:
    """A game of this process that must not hear of other games."""

    def deliver_commit(self, *_: Any) -> None:
        raise AssertionError

    announce = deliver_phrase = deliver_commit


async def test_a_process_receives_only_the_topics_of_its_own_games(table: GameDriver) -> None:
    other = str(uuid7())
    while topics.of_game(other) == topics.of_game(table.game.id):
        other = str(uuid7())
    received: list[str] = []
    async with publishing() as hub, publishing() as listener:
        take = listener.bridge.subscription._take

        def recorded(topic: str, data: bytes) -> None:
            received.append(topic)
            take(topic, data)

        listener.bridge.subscription._take = recorded
        listener.start()
        listener.follow_game(other, Deaf())
        await listener.hears_game(other)
        hub.publish(table.game, table.appends[-1])
        with listener.watching(table.game.id) as changed:
            await listener.hears_game(table.game.id)
            hub.publish(table.game, table.appends[-1])
            async with asyncio.timeout(TIMEOUT_S):
                await changed.wait()
        assert received.count(topics.of_game(table.game.id)) == 1
        assert topics.of_game(other) not in received
