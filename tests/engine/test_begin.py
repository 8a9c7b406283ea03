"""The first try of a command, which needs no coroutine: it is stored as any other, or nothing has been done."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg import AsyncConnection

from games.engine import engine as engine_module
from games.engine.engine import CommandResult, Decide, Engine
from games.game.aggregate import Game
from games.game.draft import Draft, Moment
from games.log import store
from games.log.rows import Caller
from games.metrics import counters
from games.rules.actions import Pass
from games.rules.refused import Refused
from players.database.ids import uuid7
from tests.engine.conftest import MakeEngine
from tests.engine.tables import NOW, act, keyed, next_step, started

pytestmark = pytest.mark.django_db(transaction=True)

Came = asyncio.Future[engine_module.Came]


def begun(engine: Engine, game: Game, decide: Decide, caller: Caller = Caller()) -> Came | None:  # noqa: B008
    came: Came = asyncio.get_running_loop().create_future()
    return came if engine.begin(UUID(game.id), decide, NOW, caller, came.set_result) else None


async def version_of(connection: AsyncConnection[Any], game: Game) -> int | None:
    return await store.version(connection, UUID(game.id))


async def test_a_move_that_is_begun_is_stored_before_it_is_told(
    engine: Engine, connection: AsyncConnection[Any]
) -> None:
    game = await started(engine)
    while not game.is_over:
        came = begun(engine, game, next_step(game))
        assert came is not None
        done = await came
        assert isinstance(done, CommandResult)
        game = done.game
        assert await version_of(connection, game) == game.version == done.events[-1].version
    assert len(engine._locks) == 0


async def test_a_game_that_is_not_in_memory_is_left_to_others(engine: Engine) -> None:
    game = await started(engine)
    engine.forget(UUID(game.id))
    assert begun(engine, game, next_step(game)) is None
    assert (await engine.submit(UUID(game.id), next_step(game), NOW)).events


def nothing(game: Game, moment: Moment) -> Draft:
    return Draft(game, moment)


@pytest.mark.parametrize("decide", [act("nobody", Pass()), nothing], ids=["refused", "changes nothing"])
async def test_what_is_not_done_at_the_first_try_leaves_no_trace(
    engine: Engine, connection: AsyncConnection[Any], decide: Decide
) -> None:
    game = await started(engine)
    assert begun(engine, game, decide) is None
    assert await version_of(connection, game) == game.version
    assert begun(engine, game, next_step(game)) is not None  # and keeps nobody's turn


async def test_trouble_in_deciding_is_left_to_whoever_submits_and_keeps_nobodys_turn(engine: Engine) -> None:
    def decide(_game: Game, _moment: Moment) -> Draft:
        raise ZeroDivisionError

    game = await started(engine)
    assert begun(engine, game, decide) is None
    assert len(engine._locks) == 0
    with pytest.raises(ZeroDivisionError):
        await engine.submit(UUID(game.id), decide, NOW)


async def test_who_comes_while_another_is_under_way_waits_his_turn(engine: Engine) -> None:
    game = await started(engine)
    first = begun(engine, game, next_step(game))
    assert first is not None
    assert begun(engine, game, next_step(game)) is None
    second = asyncio.create_task(engine.submit(UUID(game.id), lambda game, moment: next_step(game)(game, moment), NOW))
    done = await first
    assert isinstance(done, CommandResult)
    assert (await second).events[0].version == done.game.version + 1


async def test_whoever_lost_to_another_process_has_to_submit(make_engine: MakeEngine, conninfo: str) -> None:
    here, there = await make_engine(conninfo), await make_engine(conninfo)
    game = await started(here)
    await there.submit(UUID(game.id), next_step(game), NOW + timedelta(seconds=1))  # else it would be the same event
    came = begun(here, game, next_step(game))
    assert came is not None
    assert await came is None
    known = here._recall(UUID(game.id))
    assert known is not None
    assert known.game.version == game.version + 1  # what the other has done is known by now
    with pytest.raises(Refused):  # the same roll again
        await here.submit(UUID(game.id), next_step(game), NOW)


async def test_a_key_that_was_used_is_answered_as_it_was_and_counted_once(engine: Engine) -> None:
    game = await started(engine)
    player = UUID(game.participants[game.waiting_for()[0]].player or "")
    first = begun(engine, game, next_step(game), keyed(player, "once"))
    assert first is not None
    done = await first
    assert isinstance(done, CommandResult)
    before = counted("repeated")
    again = begun(engine, done.game, next_step(done.game), keyed(player, "once"))
    assert again is not None
    finding_out = await again
    assert isinstance(finding_out, Coroutine)
    replay = await finding_out
    assert (replay.is_replay, replay.game) == (True, done.game)
    assert counted("repeated") == before + 1


async def test_a_revoked_session_is_told_so(engine: Engine) -> None:
    game = await started(engine)
    before = counted("refused")
    came = begun(engine, game, next_step(game), Caller(session=uuid7()))
    assert came is not None
    refused = await came
    assert isinstance(refused, Refused)
    assert (refused.code, counted("refused")) == ("not_authenticated", before + 1)


def counted(outcome: str) -> float:
    """How many commands came to this."""
    return sum(
        sample.value
        for metric in counters.COMMANDS.collect()
        for sample in metric.samples
        if sample.name == "qwixx_commands_total" and sample.labels["outcome"] == outcome
    )
