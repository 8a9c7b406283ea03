"""A game channel believes events of another process only if they continue the chain of its copy."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import msgspec
import pytest

from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.events import Event, link
from games.live.messages import SpokenPhrase
from games.metrics import counters
from games.streams.channels.game_channel import GameChannel
from games.streams.channels.updates import UpdateEncoder
from tests.engine.games import NOW, next_step, started
from tests.metric_values import counted

TIMEOUT_S = 10


class RecordingSocket:
    """A subscriber that keeps the events of every update."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def deliver_update(self, update: UpdateEncoder, seat: int | None) -> None:
        for event in msgspec.json.decode(update.text(seat, is_full=False))["events"]:
            self.events.put_nowait(event)

    def deliver_phrase(self, phrase: SpokenPhrase) -> None:
        raise AssertionError(phrase)

    def end(self, code: int) -> None:
        raise AssertionError(code)

    async def next(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.events.get(), TIMEOUT_S)


@pytest.fixture
async def engine(conninfo: str) -> AsyncIterator[Engine]:
    engine = Engine(conninfo)
    await engine.open()
    yield engine
    await engine.close()


async def watched(engine: Engine, game: GameState) -> tuple[GameChannel, RecordingSocket]:
    channel = GameChannel(engine, UUID(game.id))
    socket = RecordingSocket(str(game.participants[0].player))
    channel.subscribe(socket)
    await channel.load(socket.player)
    return channel, socket


def rejected() -> float:
    return counted(counters.REJECTED, reason="chain")


def changed_data(event: Event) -> Event:
    return event._replace(data={**event.data, "dice": {"white": [6, 6]}})


def another_event_before(event: Event) -> Event:
    return link("f" * 64, event.game, event.version, event.type, event.v, event.at, event.data)


def changed_hash(event: Event) -> Event:
    return event._replace(hash="f" * 64)


async def test_events_that_continue_the_chain_are_sent_without_a_read(engine: Engine) -> None:
    game = await started(engine)
    channel, socket = await watched(engine, game)
    done = await engine.submit(UUID(game.id), next_step(game), NOW)
    await engine.close()  # no read can succeed
    channel.deliver_commit(done.events, None)
    assert (await socket.next())["hash"] == done.events[0].hash
    await engine.open()


@pytest.mark.parametrize("tampered", [changed_data, another_event_before, changed_hash])
async def test_in_place_of_tampered_events_those_of_the_log_are_sent(engine: Engine, tampered: Any) -> None:
    before = rejected()
    game = await started(engine)
    channel, socket = await watched(engine, game)
    done = await engine.submit(UUID(game.id), next_step(game), NOW)
    channel.deliver_commit([tampered(event) for event in done.events], None)
    sent = [await socket.next() for _ in done.events]
    assert sent == [msgspec.to_builtins(event.envelope()) for event in done.events]
    assert channel.snapshot.game == done.game
    assert rejected() > before


async def test_an_announced_version_is_read_from_the_log(engine: Engine) -> None:
    holes = counted(counters.HOLES)
    game = await started(engine)
    channel, socket = await watched(engine, game)
    done = await engine.submit(UUID(game.id), next_step(game), NOW)
    channel.announce(done.game.version)
    assert [(await socket.next())["version"] for _ in done.events] == [event.version for event in done.events]
    assert counted(counters.HOLES) == holes, "nothing was lost"
    channel.announce(10**9)  # a version that is not stored
    await channel.reach(done.game.version)
    assert channel.version == done.game.version
