"""The round trips of a command, counted by a proxy; and commands whose connection breaks."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from games.engine.engine import Engine
from games.game.events import first_bad_version
from games.log import store
from games.log.connections import Connection
from games.rules.actions import Pass, Roll
from games.rules.refused import Refused
from tests.engine.conftest import MakeEngine
from tests.engine.games import NOW, act, keyed, next_step, started
from tests.engine.postgres_proxy import PostgresProxy

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def proxy(conninfo: str) -> AsyncIterator[PostgresProxy]:
    async with PostgresProxy(conninfo).listening() as proxy:
        yield proxy


@pytest.fixture
async def engine(proxy: PostgresProxy, make_engine: MakeEngine) -> Engine:
    """An engine whose connections are open and whose statements are prepared, as after its first minute."""
    engine = await make_engine(proxy.conninfo)
    game = await started(engine)
    engine.forget(UUID(game.id))
    await engine.read(UUID(game.id))
    return engine


async def test_a_warm_command_is_one_round_trip(engine: Engine, proxy: PostgresProxy) -> None:
    game = await started(engine)
    for _ in range(10):
        before = proxy.round_trips
        game = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
        assert proxy.round_trips - before == 1


async def test_a_cold_command_is_two_round_trips(engine: Engine, proxy: PostgresProxy) -> None:
    game = await started(engine)
    engine.forget(UUID(game.id))
    before = proxy.round_trips
    await engine.submit(UUID(game.id), next_step(game), NOW)
    assert proxy.round_trips - before == 2


async def test_following_a_game_in_memory_is_one_round_trip(
    engine: Engine, proxy: PostgresProxy, make_engine: MakeEngine, conninfo: str
) -> None:
    """Whether the commit was this process's own or another's; a game that is not in memory is loaded once."""
    elsewhere = await make_engine(conninfo)
    game = await started(engine)
    for committer in (engine, elsewhere, elsewhere, engine):
        done = await committer.submit(UUID(game.id), next_step(game), NOW)
        before = proxy.round_trips
        events, followed = await engine.follow(UUID(game.id), game.version, 100)
        assert (tuple(events), followed, proxy.round_trips - before) == (done.events, done.game, 1)
        events, followed = await engine.follow(UUID(game.id), done.game.version, 100)
        assert (events, followed, proxy.round_trips - before) == ([], done.game, 2)
        game = done.game
    for limit, expected in ((1, [1]), (100, list(range(1, game.version + 1)))):
        events, followed = await engine.follow(UUID(game.id), 0, limit)
        assert ([event.version for event in events], followed) == (expected, game)
    engine.forget(UUID(game.id))
    assert await engine.follow(UUID(game.id), 10**6) == ([], game)


async def test_commands_that_arrive_together_are_stored_together(engine: Engine, proxy: PostgresProxy) -> None:
    games = [await started(engine) for _ in range(20)]
    before = proxy.round_trips
    done = await asyncio.gather(*(engine.submit(UUID(game.id), next_step(game), NOW) for game in games))
    # The first command starts a batch at once, with the commands that are decided by then.
    assert proxy.round_trips - before <= 2
    assert all(one.events for one in done)


async def test_a_command_whose_answer_is_lost_is_stored_once_and_answered(
    engine: Engine, proxy: PostgresProxy, connection: Connection
) -> None:
    game = await started(engine)
    proxy.cut_answers = 1
    done = await engine.submit(UUID(game.id), next_step(game), NOW)
    log = await store.events_after(connection, UUID(game.id), 0)
    assert log[-1] == done.events[-1]
    assert len(log) == done.game.version == game.version + 1
    assert first_bad_version(log) is None


async def test_a_keyed_command_whose_answer_is_lost_is_not_a_replay(engine: Engine, proxy: PostgresProxy) -> None:
    game = await started(engine)
    roller = UUID(game.participants[game.position.active].player)
    proxy.cut_answers = 1
    done = await engine.submit(UUID(game.id), act(str(roller), Roll()), NOW, keyed(roller, "k"))
    assert not done.is_replay
    again = await engine.submit(UUID(game.id), act(str(roller), Roll()), NOW, keyed(roller, "k"))
    assert again == done._replace(is_replay=True)


async def test_an_unreachable_database_is_unavailable_and_play_continues_when_it_is_back(
    engine: Engine, proxy: PostgresProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await started(engine)
    monkeypatch.setattr("games.log.group_commit.STORE_S", 0.5)
    proxy.cut_answers = 10_000
    with pytest.raises(Refused, match="unavailable"):
        await engine.submit(UUID(game.id), next_step(game), NOW)
    proxy.cut_answers = 0
    # The engine recognises that the roll whose answer was lost is stored.
    player = game.participants[game.position.active].player
    done = await engine.submit(UUID(game.id), act(player, Pass()), NOW)
    assert done.events[0].version == game.version + 2
