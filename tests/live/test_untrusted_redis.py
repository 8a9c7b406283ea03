"""What a process believes of Redis: nothing that another process of this service has not signed, and nothing twice."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis.asyncio
from django.conf import settings

from games.game.aggregate import GameState
from games.game.decisions import play
from games.game.events import Event
from games.live import signatures, topics
from games.live.hub import Hub
from games.live.messages import BridgeBatch, SpokenPhrase, encode_batch, encode_events
from games.metrics import counters
from games.rules.actions import Mark, Pass, Roll
from tests.builders import BEN, CAT, GameDriver
from tests.metric_values import counted

TIMEOUT_S = 10
LATE_S = 3600.0


class Recorder:
    """A subscriber to one game that records what it is told."""

    def __init__(self) -> None:
        self.told: asyncio.Queue[Any] = asyncio.Queue()

    def deliver_commit(self, events: tuple[Event, ...], game: GameState | None) -> None:
        assert game is None, "the commit of another process"
        self.told.put_nowait(events)

    def announce(self, version: int) -> None:
        self.told.put_nowait(version)

    def deliver_phrase(self, phrase: SpokenPhrase) -> None:
        self.told.put_nowait(phrase.key)

    async def next(self) -> Any:
        return await asyncio.wait_for(self.told.get(), TIMEOUT_S)


class Wire:
    """A process that sends and one that receives, on a channel of their own, and a client that sees every message."""

    def __init__(self, client: Any, pubsub: Any, channel: str, topic: str) -> None:
        self._client, self._pubsub, self._name = client, pubsub, f"{channel}:{topic}"
        self.sender, self.receiver = Hub(settings.REDIS_URL, channel), Hub(settings.REDIS_URL, channel)

    async def seen(self) -> bytes:
        message = await self._pubsub.get_message(timeout=TIMEOUT_S)
        data: bytes = message["data"]
        return data

    async def put(self, message: bytes) -> None:
        assert await self._client.publish(self._name, message) == 2


@pytest.fixture
def table() -> GameDriver:
    table = GameDriver(seats=3)
    table.join(BEN, CAT)
    return table


@pytest.fixture
async def wire(table: GameDriver) -> AsyncIterator[Wire]:
    """On the topic of the game of the table."""
    channel, client = f"games {secrets.token_hex(4)}", redis.asyncio.from_url(settings.REDIS_URL)
    topic = topics.of_game(table.game.id)
    async with client, client.pubsub() as pubsub:
        await pubsub.subscribe(f"{channel}:{topic}")
        await pubsub.get_message(timeout=TIMEOUT_S)
        wire, is_listening = Wire(client, pubsub, channel, topic), asyncio.Event()
        wire.receiver.after_gap.append(is_listening.set)
        wire.receiver.start()
        await asyncio.wait_for(is_listening.wait(), TIMEOUT_S)
        yield wire
        await wire.sender.stop()
        await wire.receiver.stop()


@pytest.fixture
async def recorder(wire: Wire, table: GameDriver) -> Recorder:
    recorder = Recorder()
    wire.receiver.follow_game(table.game.id, recorder)
    await wire.receiver.hears_game(table.game.id)
    return recorder


def rejected(reason: str) -> float:
    return counted(counters.REJECTED, reason=reason)


def phrase_batch(table: GameDriver, number: int, sent_at: float, key: str) -> BridgeBatch:
    phrase = SpokenPhrase(table.game.id, 0, key, [])
    return BridgeBatch("another process", topics.of_game(table.game.id), number, sent_at, phrases=[phrase])


async def test_a_commit_of_another_process_is_delivered_with_its_events(
    wire: Wire, recorder: Recorder, table: GameDriver
) -> None:
    wire.sender.publish(table.game, table.appends[-1])
    assert await recorder.next() == table.appends[-1]


async def test_a_message_that_was_not_signed_is_rejected_and_counted(
    wire: Wire, recorder: Recorder, table: GameDriver
) -> None:
    before = rejected("signature")
    wire.sender.publish(table.game, table.appends[-1])
    genuine = await wire.seen()
    await recorder.next()
    payload = genuine[signatures.LENGTH :]
    forged = [payload, bytes(32) + payload, genuine[:-1] + bytes([genuine[-1] ^ 1]), b"", b"x", genuine + b"x"]
    for message in forged:
        await wire.put(message)
    wire.sender.send_phrase(SpokenPhrase(table.game.id, 0, "well_played", []))
    assert await recorder.next() == "well_played", "nothing of the forged messages was delivered before it"
    assert rejected("signature") - before == len(forged)


async def test_a_message_that_is_sent_again_is_rejected_and_counted(
    wire: Wire, recorder: Recorder, table: GameDriver
) -> None:
    before = rejected("replay")
    wire.sender.send_phrase(SpokenPhrase(table.game.id, 0, "first", []))
    genuine = await wire.seen()
    assert await recorder.next() == "first"
    for _ in range(3):
        await wire.put(genuine)
    wire.sender.send_phrase(SpokenPhrase(table.game.id, 0, "second", []))
    assert await recorder.next() == "second"
    assert rejected("replay") - before == 3


async def test_a_signed_message_of_long_ago_is_rejected(wire: Wire, recorder: Recorder, table: GameDriver) -> None:
    """Also by a process that has not heard of its sender before."""
    before, now = rejected("replay"), time.time()
    await wire.put(encode_batch(phrase_batch(table, 1, now - LATE_S, "old")))
    await wire.put(encode_batch(phrase_batch(table, 1, now, "new")))
    assert await recorder.next() == "new"
    assert rejected("replay") - before == 1


async def test_a_sealed_answer_is_not_in_a_message_and_its_version_is(
    wire: Wire, recorder: Recorder, table: GameDriver
) -> None:
    active = table.game.position.active
    table.act(active, Roll())
    wire.sender.publish(table.game, table.appends[-1])
    await recorder.next()
    option = next(option for option in play.options(table.game, 1) if isinstance(option, Mark))
    events = table.act(1, option)
    assert table.game.sealed
    wire.sender.publish(table.game, events)
    assert await recorder.next() == table.game.version
    sealed = events[-1]
    messages = b"".join([await wire.seen(), await wire.seen()])
    for secret in (b"answer_sealed", sealed.data["nonce"].encode(), sealed.hash.encode()):
        assert secret not in messages
    for seat in (0, 2):
        events = table.act(seat, Pass())
    wire.sender.publish(table.game, events)
    assert await recorder.next() == events, "with the last answer all of them are revealed"


async def test_a_commit_with_unreadable_events_is_announced(wire: Wire, recorder: Recorder, table: GameDriver) -> None:
    """Of a later version of the service."""
    batch = phrase_batch(table, 1, time.time(), "after it")
    batch.commits.append((table.game.id, 0.0, 9, encode_events(())))
    batch.commits.append((table.game.id, 0.0, 10, encode_events(("not an event",))))  # type: ignore[arg-type]
    await wire.put(encode_batch(batch))
    assert [await recorder.next() for _ in range(3)] == [9, 10, "after it"]


async def test_a_message_for_another_topic_is_rejected(wire: Wire, recorder: Recorder, table: GameDriver) -> None:
    """A signed message cannot be sent again on a channel that it was not made for."""
    before = rejected("replay")
    batch = phrase_batch(table, 1, time.time(), "elsewhere")
    batch.topic = "game:other"
    await wire.put(encode_batch(batch))
    await wire.put(encode_batch(phrase_batch(table, 1, time.time(), "here")))
    assert await recorder.next() == "here"
    assert rejected("replay") - before == 1
