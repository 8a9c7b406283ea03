"""`Engine.submit`, step by step: one attempt without a wait, then publish, then acknowledge; exactly once."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.engine import CommandResult, Decide, Engine
from games.game.aggregate import GameState
from games.game.decisions.draft import Draft, Moment
from games.game.events import Event
from games.log import store
from games.log.connections import Connection
from games.log.rows import Caller
from games.metrics import counters
from games.rules.actions import Pass
from games.rules.refused import Refused
from players.database.ids import uuid7
from tests.engine.conftest import MakeEngine
from tests.engine.games import NOW, act, keyed, next_step, started

pytestmark = pytest.mark.django_db(transaction=True)


def step(game: GameState, moment: Moment) -> Draft:
    """The first option of the first seat that the game waits for, whatever the game's state is."""
    return next_step(game)(game, moment)


async def play(engine: Engine, game: GameState, caller: Caller = Caller()) -> CommandResult:  # noqa: B008
    return await engine.submit(UUID(game.id), step, NOW, caller)


async def test_a_command_is_stored_before_it_is_acknowledged(engine: Engine, connection: Connection) -> None:
    game = await started(engine)
    while not game.is_over:
        done = await play(engine, game)
        game = done.game
        assert await store.version(connection, UUID(game.id)) == game.version == done.events[-1].version


async def test_a_game_in_memory_is_decided_before_the_first_wait(engine: Engine) -> None:
    game = await started(engine)
    decided: list[int] = []

    def decide(game: GameState, moment: Moment) -> Draft:
        decided.append(game.version)
        return step(game, moment)

    command = engine.submit(UUID(game.id), decide, NOW)
    waits_for = command.send(None)  # what an event loop does first
    assert decided == [game.version]
    assert isinstance(waits_for, asyncio.Future)
    command.close()


async def test_events_are_published_before_any_command_of_the_batch_is_acknowledged(engine: Engine) -> None:
    games = [await started(engine) for _ in range(5)]
    order: list[str] = []

    def publish(game: GameState, _events: tuple[Event, ...]) -> None:
        order.append("published")

    async def acknowledge(game: GameState) -> None:
        await play(engine, game)
        order.append("acknowledged")

    engine.listeners.append(publish)
    await asyncio.gather(*(acknowledge(game) for game in games))
    assert order == ["published"] * 5 + ["acknowledged"] * 5


async def test_a_game_that_is_not_in_memory_is_loaded(engine: Engine) -> None:
    game = await started(engine)
    engine.forget(UUID(game.id))
    assert (await play(engine, game)).events


def change_nothing(game: GameState, moment: Moment) -> Draft:
    return Draft(game, moment)


@pytest.mark.parametrize("decide", [act("nobody", Pass()), change_nothing], ids=["refused", "changes nothing"])
async def test_a_command_without_events_stores_nothing(engine: Engine, connection: Connection, decide: Decide) -> None:
    game = await started(engine)
    for result in await asyncio.gather(engine.submit(UUID(game.id), decide, NOW), return_exceptions=True):
        assert isinstance(result, Refused) or result.events == ()  # type: ignore[union-attr]
    assert await store.version(connection, UUID(game.id)) == game.version
    assert (await play(engine, game)).events


async def test_an_error_in_a_decision_reaches_the_caller_and_unlocks_the_game(engine: Engine) -> None:
    def fail(_game: GameState, _moment: Moment) -> Draft:
        raise ZeroDivisionError

    game = await started(engine)
    with pytest.raises(ZeroDivisionError):
        await engine.submit(UUID(game.id), fail, NOW)
    assert (await play(engine, game)).events


async def test_a_second_command_on_a_game_is_decided_after_the_first(engine: Engine) -> None:
    game = await started(engine)
    first, second = await asyncio.gather(play(engine, game), play(engine, game))
    assert second.events[0].version == first.game.version + 1


async def test_a_command_that_another_process_overtook_is_decided_again(make_engine: MakeEngine, conninfo: str) -> None:
    here, there = await make_engine(conninfo), await make_engine(conninfo)
    game = await started(here)
    roll = next_step(game)
    await there.submit(UUID(game.id), roll, NOW + timedelta(seconds=1))  # at the same time it would be the same event
    with pytest.raises(Refused, match="wrong_phase"):
        await here.submit(UUID(game.id), roll, NOW)
    assert (await play(here, game)).events[0].version == game.version + 2


async def test_a_used_key_is_answered_with_its_first_result_and_counted_once(engine: Engine) -> None:
    game = await started(engine)
    player = UUID(game.participants[game.waiting_for()[0]].player or "")
    first = await play(engine, game, keyed(player, "once"))
    before = counted("repeated")
    again = await play(engine, game, keyed(player, "once"))
    assert (again.is_replay, again.game) == (True, first.game)
    assert counted("repeated") == before + 1


async def test_a_revoked_session_is_refused_and_counted(engine: Engine) -> None:
    game = await started(engine)
    before = counted("refused")
    with pytest.raises(Refused, match="not_authenticated"):
        await play(engine, game, Caller(session=uuid7()))
    assert counted("refused") == before + 1


def counted(outcome: str) -> float:
    """How many commands had this outcome."""
    return sum(
        sample.value
        for metric in counters.COMMANDS.collect()
        for sample in metric.samples
        if sample.name == "qwixx_commands_total" and sample.labels["outcome"] == outcome
    )
