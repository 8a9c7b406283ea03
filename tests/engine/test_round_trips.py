"""What a command costs in round trips, counted on the wire; and what a line that breaks costs: nothing."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from psycopg import AsyncConnection

from games.engine.engine import Came, Engine
from games.game.events import first_bad_version
from games.log import store
from games.log.rows import Caller
from games.rules.actions import Pass, Roll
from games.rules.refused import Refused
from tests.engine.conftest import MakeEngine
from tests.engine.tables import NOW, act, keyed, next_step, started
from tests.engine.wire import Wire

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def wire(conninfo: str) -> AsyncIterator[Wire]:
    async with Wire(conninfo).listening() as wire:
        yield wire


@pytest.fixture
async def engine(wire: Wire, make_engine: MakeEngine) -> Engine:
    """An engine whose connections are open and whose statements are prepared, as after its first minute."""
    engine = await make_engine(wire.conninfo)
    game = await started(engine)
    engine.forget(UUID(game.id))
    await engine.read(UUID(game.id))
    return engine


async def test_a_warm_command_is_one_round_trip(engine: Engine, wire: Wire) -> None:
    game = await started(engine)
    for _ in range(10):
        before = wire.round_trips
        game = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
        assert wire.round_trips - before == 1


async def test_a_cold_command_is_two_round_trips(engine: Engine, wire: Wire) -> None:
    game = await started(engine)
    engine.forget(UUID(game.id))
    before = wire.round_trips
    await engine.submit(UUID(game.id), next_step(game), NOW)
    assert wire.round_trips - before == 2


async def test_commands_that_wait_together_are_stored_together(engine: Engine, wire: Wire) -> None:
    games = [await started(engine) for _ in range(20)]
    before = wire.round_trips
    done = await asyncio.gather(*(engine.submit(UUID(game.id), next_step(game), NOW) for game in games))
    # The first of them finds nothing under way and goes at once with whatever the loop has decided by then.
    assert wire.round_trips - before <= 2
    assert all(one.events for one in done)


async def test_a_command_whose_answer_is_lost_is_stored_once_and_answered(
    engine: Engine, wire: Wire, connection: AsyncConnection[Any]
) -> None:
    game = await started(engine)
    wire.cut_answers = 1
    done = await engine.submit(UUID(game.id), next_step(game), NOW)
    log = await store.events_after(connection, UUID(game.id), 0)
    assert log[-1] == done.events[-1]
    assert len(log) == done.game.version == game.version + 1
    assert first_bad_version(log) is None


async def test_a_keyed_command_whose_answer_is_lost_is_not_a_replay(engine: Engine, wire: Wire) -> None:
    game = await started(engine)
    roller = UUID(game.participants[game.position.active].player)
    wire.cut_answers = 1
    done = await engine.submit(UUID(game.id), act(str(roller), Roll()), NOW, keyed(roller, "k"))
    assert not done.is_replay
    again = await engine.submit(UUID(game.id), act(str(roller), Roll()), NOW, keyed(roller, "k"))
    assert again == done._replace(is_replay=True)


async def test_a_line_that_keeps_breaking_is_said_to_be_unavailable_and_play_goes_on_when_it_holds(
    engine: Engine, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await started(engine)
    monkeypatch.setattr("games.log.group_commit.PAUSES_S", (0.0,))
    wire.cut_answers = 10_000
    with pytest.raises(Refused, match="unavailable"):
        await engine.submit(UUID(game.id), next_step(game), NOW)
    wire.cut_answers = 0
    # Whether the unanswered roll was stored is found out by itself.
    player = game.participants[game.position.active].player
    done = await engine.submit(UUID(game.id), act(player, Pass()), NOW)
    assert done.events[0].version == game.version + 2


async def test_a_move_that_was_begun_while_the_database_is_away_is_said_to_be_unavailable(
    engine: Engine, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await started(engine)
    monkeypatch.setattr("games.log.group_commit.PAUSES_S", (0.0,))
    wire.cut_answers = 10_000
    came: asyncio.Future[Came] = asyncio.get_running_loop().create_future()
    assert engine.begin(UUID(game.id), next_step(game), NOW, Caller(), came.set_result)
    error = await came
    wire.cut_answers = 0
    assert isinstance(error, Refused)
    assert (error.code, len(engine._locks)) == ("unavailable", 0)


async def test_a_move_that_is_begun_is_one_round_trip(engine: Engine, wire: Wire) -> None:
    game = await started(engine)
    before = wire.round_trips
    came: asyncio.Future[Came] = asyncio.get_running_loop().create_future()
    assert engine.begin(UUID(game.id), next_step(game), NOW, Caller(), came.set_result)
    await came
    assert wire.round_trips - before == 1
