"""How news travel: encoded once for all who see the same, and to other processes in waves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec
import pytest
import redis.asyncio
from django.conf import settings

from games.game import play
from games.game.views import answer_view, option_views
from games.live import hub
from games.live.hub import Hub, Spoken
from games.rules.actions import Action, Pass, Roll
from games.rules.registry import RULESETS
from games.streams import updates
from games.streams.updates import Batch, view
from tests.builders import BEN, CAT, GameDriver

PATIENCE_S = 10
TOLD = 5


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes of the tests listen, too."""
    monkeypatch.setattr(hub, "CHANNEL", "games of these tests")


@pytest.fixture
def table() -> GameDriver:
    table = GameDriver(seats=3)
    table.join(BEN, CAT)
    return table


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[Any, Any]]:
    client: Any = redis.asyncio.from_url(settings.REDIS_URL)
    async with client, client.pubsub() as pubsub:
        await pubsub.subscribe(hub.CHANNEL)
        await pubsub.get_message(timeout=PATIENCE_S)
        yield client, pubsub


async def wave_of(pubsub: Any) -> hub.Wave:
    message = await pubsub.get_message(timeout=PATIENCE_S)
    return msgspec.msgpack.decode(message["data"], type=hub.Wave)


async def moves_of(pubsub: Any) -> int:
    """How many moves the next wave carries."""
    return len((await wave_of(pubsub)).moves)


async def test_the_first_news_travel_at_once_and_those_of_the_next_moment_together(
    table: GameDriver, monkeypatch: pytest.MonkeyPatch
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


async def test_to_nobody_a_process_sends_nothing_that_stands_in_the_log(table: GameDriver) -> None:
    """Whoever comes hears that he has missed something, and from then on everything; a phrase is in no log."""
    teller = Hub(settings.REDIS_URL)
    try:
        teller.told(table.game, table.appends[-1])
        await until_told(teller)
        async with listening() as (_, pubsub):
            teller.speak(Spoken(table.game.id, 1, "well_played", []))
            teller.told(table.game, table.appends[-1])
            hint = await wave_of(pubsub)
            assert (hint.is_alone, hint.moves, [each.key for each in hint.spoken]) == (True, [], ["well_played"])
            teller.told(table.game, table.appends[-1])
            whole = await wave_of(pubsub)
            assert (whole.is_alone, [game for game, _, _ in whole.moves]) == (False, [table.game.id])
    finally:
        await teller.stop()


async def test_whoever_hears_that_another_thought_himself_alone_looks_for_what_he_missed(table: GameDriver) -> None:
    looked = asyncio.Event()
    newcomer, teller = Hub(settings.REDIS_URL), Hub(settings.REDIS_URL)
    try:
        teller.told(table.game, table.appends[-1])
        await until_told(teller)
        newcomer.start()
        newcomer.returns.append(looked.set)
        async with asyncio.timeout(PATIENCE_S):
            await looked.wait()  # as whoever begins to listen does
            looked.clear()
            teller.told(table.game, table.appends[-1])
            await looked.wait()
    finally:
        await teller.stop()
        await newcomer.stop()


async def until_told(teller: Hub) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while teller._publishing is not None:
            await asyncio.wait([teller._publishing])


def batch_of(table: GameDriver, seat: int, action: Action) -> Batch:
    events = table.act(seat, action)
    return Batch(table.game, events)


def test_whoever_sees_the_same_is_sent_the_same(table: GameDriver) -> None:
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


def test_a_bundle_is_written_once_for_each_kind_of_wire(table: GameDriver) -> None:
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


@pytest.mark.parametrize(("ruleset", "seed"), [(ruleset, seed) for ruleset in RULESETS for seed in range(3)])
def test_options_on_the_wire_are_those_of_the_view(ruleset: str, seed: int) -> None:
    """They are written by hand, for speed: at every version of a game, for every seat and for who only looks on."""
    luck = Random(seed)
    table = GameDriver(ruleset, seats=3, secret=luck.randbytes(32))
    table.join(BEN, CAT)
    while not table.game.is_over:
        for seat in (0, 1, 2, None):
            shown = msgspec.json.decode(view(table.game, seat))
            assert shown["options"] == option_views(table.game, seat)
            assert shown["your_answer"] == answer_view(table.game, seat)
        seat = luck.choice(table.game.waiting_for())
        table.act(seat, luck.choice(play.options(table.game, seat)))
    assert [msgspec.json.decode(view(table.game, seat))["options"] for seat in (0, None)] == [[], []]


def test_no_more_options_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch, table: GameDriver) -> None:
    monkeypatch.setattr(updates, "MOST_KNOWN", 3)
    monkeypatch.setattr(updates, "_known", {})
    table.act(table.game.position.active, Roll())
    for _ in range(3):
        for seat in range(3):
            assert msgspec.json.decode(view(table.game, seat))["options"] == option_views(table.game, seat)
            assert len(updates._known) <= 3
