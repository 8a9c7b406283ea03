"""How news travel: encoded once for all who see the same, and to other processes in waves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
import redis.asyncio
from django.conf import settings

from games import hub
from games.hub import CHANNEL, Hub
from games.rules.actions import Action, Pass, Roll
from games.streams.batches import Batch
from tests.builders import BEN, CAT, Table

PATIENCE_S = 10
TOLD = 5


@pytest.fixture
def table() -> Table:
    table = Table(seats=3)
    table.join(BEN, CAT)
    return table


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[Any, Any]]:
    client: Any = redis.asyncio.from_url(settings.REDIS_URL)
    async with client, client.pubsub() as pubsub:
        await pubsub.subscribe(CHANNEL)
        await pubsub.get_message(timeout=PATIENCE_S)
        yield client, pubsub


async def moves_of(pubsub: Any) -> int:
    """How many moves the next wave carries."""
    message = await pubsub.get_message(timeout=PATIENCE_S)
    return len(msgspec.msgpack.decode(message["data"], type=hub.Wave).moves)


async def test_the_first_news_travel_at_once_and_those_of_the_next_moment_together(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "BETWEEN_WAVES_S", 1.0)  # however slow the machine is
    teller = Hub(settings.REDIS_URL)
    async with listening() as (client, pubsub):
        try:
            waves = []
            for told in (1, TOLD):
                for _ in range(told):
                    teller.told(table.game, table.appends[-1])
                    for _ in range(3):  # there and back: what goes at once has gone by then
                        await client.ping()
                waves.append(await moves_of(pubsub))
            assert waves == [1, TOLD]
        finally:
            await teller.stop()


def batch_of(table: Table, seat: int, action: Action) -> Batch:
    events = table.act(seat, action)
    return Batch(table.game, events)


def test_whoever_sees_the_same_is_sent_the_same(table: Table) -> None:
    """A roll: the events are written once, what each seat may do once for each. A sealed answer: only its author's
    own differs."""
    active = table.game.position.active
    rolled = batch_of(table, active, Roll())
    bundles = [rolled.bundle(seat) for seat in (0, 1, 2, None)]
    assert len({id(bundle.shared) for bundle in bundles}) == 1
    assert [len(bundle.frames) for bundle in bundles] == [2] * 4
    sealed = batch_of(table, 1, Pass())
    author, *others = [sealed.bundle(seat) for seat in (1, 0, 2, None)]
    assert len({id(bundle) for bundle in others}) == 1
    assert [b"nonce" in bundle.frames[0] for bundle in (author, *others)] == [True, False, False, False]
    assert [len(bundle.frames) for bundle in (author, *others)] == [2, 1, 1, 1]


def test_a_bundle_is_written_once_for_each_kind_of_wire(table: Table) -> None:
    written: list[tuple[bytes, int]] = []

    def write(frame: bytes, kind: int) -> bytes:
        written.append((frame, kind))
        return frame + b"/%d;" % kind

    batch = batch_of(table, table.game.position.active, Roll())
    for seat in (0, 1, 2, 0):
        for kind in (0, 12):
            wire = batch.bundle(seat).on_wire(kind, write)
            assert wire == b"".join(frame + b"/%d;" % kind for frame in batch.bundle(seat).frames)
    assert len(written) == 2 * (1 + 3)  # of either kind the events once, and what each of three seats may do
