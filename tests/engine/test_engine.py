"""The engine: one result per command, decided on the newest state, after the commit and exactly once."""

import asyncio
from uuid import UUID

import pytest
from rich.pretty import pretty_repr

from games.engine.cache import GameCache
from games.engine.engine import Engine
from games.game.aggregate import GameState, fold
from games.game.decisions import expiry, play
from games.game.events import Event, first_bad_version
from games.log import snapshots, store
from games.log.connections import Connection
from games.log.rows import Caller, game_of
from games.rules.actions import Pass, Return, Roll
from games.rules.refused import Refused
from players.database.ids import uuid7
from tests.engine.conftest import MakeEngine
from tests.engine.games import NOW, act, create, join, keyed, next_step, started

pytestmark = pytest.mark.django_db(transaction=True)


async def log_of(connection: Connection, game: GameState) -> list[Event]:
    return await store.events_after(connection, UUID(game.id), 0)


async def test_log_state_snapshot_and_memory_hold_the_same_game(engine: Engine, connection: Connection) -> None:
    game = await started(engine, 3, ruleset="qwinto")
    while not game.is_over:
        game = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
        tip = await store.load(connection, UUID(game.id))
        assert tip
        assert game_of(tip) == game
        assert len(tip.since) < snapshots.EVERY
        assert (tip.version, tip.head_hash, tip.status) == (game.version, game.head, game.status)
    log = await log_of(connection, game)
    assert fold(None, log) == game
    assert first_bad_version(log) is None


async def with_snapshot(engine: Engine) -> GameState:
    """A game of which there is a snapshot, and events since."""
    game = await started(engine)
    while game.version <= snapshots.EVERY or game.version % snapshots.EVERY == 0:
        game = (await engine.submit(UUID(game.id), next_step(game), NOW)).game
    return game


async def test_without_a_snapshot_the_log_is_read(engine: Engine, connection: Connection) -> None:
    game = await with_snapshot(engine)
    await connection.execute("DELETE FROM games_snapshot")
    engine.forget(UUID(game.id))
    assert (await engine.read(UUID(game.id))).game == game


async def test_a_snapshot_of_another_shape_is_ignored_and_the_log_is_read(
    engine: Engine, connection: Connection
) -> None:
    game = await with_snapshot(engine)
    await connection.execute("UPDATE games_snapshot SET schema = 0, state = ''")
    engine.forget(UUID(game.id))
    done = await engine.submit(UUID(game.id), next_step(game), NOW)
    assert done.game.version > game.version


@pytest.mark.parametrize("version", [-1, 1, 100])
async def test_a_snapshot_that_does_not_lead_to_the_tip_is_ignored(
    engine: Engine, connection: Connection, version: int
) -> None:
    game = await with_snapshot(engine)
    await connection.execute("UPDATE games_snapshot SET version = version + $1", version)
    engine.forget(UUID(game.id))
    assert (await engine.read(UUID(game.id))).game == game


async def test_a_query_is_planned_once_per_connection(engine: Engine) -> None:
    game = await started(engine)
    plans = "SELECT generic_plans > 0, custom_plans FROM pg_prepared_statements WHERE statement LIKE 'SELECT version%'"
    async with engine.claiming() as connection:
        for _ in range(3):
            await store.version(connection, UUID(game.id))
        assert await connection.fetch(plans) == [(True, 0)]


async def test_a_damaged_snapshot_is_ignored_and_the_log_is_read(engine: Engine, connection: Connection) -> None:
    game = await with_snapshot(engine)
    await connection.execute("UPDATE games_snapshot SET state = '\\x00'")
    engine.forget(UUID(game.id))
    assert (await engine.read(UUID(game.id))).game == game


async def test_a_key_that_changed_nothing_is_kept(engine: Engine, connection: Connection) -> None:
    game = await started(engine)
    player = UUID(game.participants[0].player)
    nothing = await engine.submit(UUID(game.id), act(str(player), Return()), NOW, keyed(player, "k"))
    assert nothing.events == ()
    await engine.submit(UUID(game.id), next_step(game), NOW)
    again = await engine.submit(UUID(game.id), act(str(player), Return()), NOW, keyed(player, "k"))
    assert again == nothing._replace(is_replay=True)
    with pytest.raises(Refused, match="idempotency_key_reused"):
        await engine.submit(UUID(game.id), act(str(player), Pass()), NOW, keyed(player, "k", "another body"))


async def test_an_unknown_game_is_not_found(engine: Engine) -> None:
    with pytest.raises(Refused, match="not_found"):
        await engine.submit(uuid7(), act("nobody", Roll()), NOW)


async def test_a_refusal_appends_nothing_and_is_decided_on_the_newest_state(
    make_engine: MakeEngine, conninfo: str, connection: Connection
) -> None:
    here, there = await make_engine(conninfo), await make_engine(conninfo)
    game = await started(here)
    roller = game.participants[game.position.active].player
    with pytest.raises(Refused, match="wrong_phase"):
        await there.submit(UUID(game.id), act(roller, Pass()), NOW)
    await there.submit(UUID(game.id), act(roller, Roll()), NOW)
    # In the memory of this engine the dice are not rolled, and a pass would be refused: the stored state counts.
    done = await here.submit(UUID(game.id), act(roller, Pass()), NOW)
    assert [event.type for event in done.events] == ["answer_sealed"]
    assert len(await log_of(connection, game)) == done.game.version


async def test_two_processes_play_one_game(make_engine: MakeEngine, conninfo: str) -> None:
    engines = [await make_engine(conninfo), await make_engine(conninfo)]
    game = await started(engines[0], 5)
    for turn in range(40):
        game = (await engines[turn % 2].submit(UUID(game.id), next_step(game), NOW)).game
    assert game.version > 40


async def test_answers_given_at_once_in_two_processes_are_all_sealed_and_revealed_once(
    make_engine: MakeEngine, conninfo: str, connection: Connection
) -> None:
    engines = [await make_engine(conninfo), await make_engine(conninfo)]
    game = await started(engines[0], 5)
    await engines[0].submit(UUID(game.id), next_step(game), NOW)
    answers = [
        engines[participant.seat % 2].submit(
            UUID(game.id), act(participant.player, Pass()), NOW, keyed(UUID(participant.player), "once")
        )
        for participant in game.participants
        for _twice in range(2)
    ]
    await asyncio.gather(*answers)
    types = [event.type for event in await log_of(connection, game)]
    assert types.count("answer_sealed") == 5
    assert types.count("phase_closed") == 1


async def test_a_key_appends_once_and_answers_the_same_again(engine: Engine, connection: Connection) -> None:
    game = await started(engine)
    roller = UUID(game.participants[game.position.active].player)
    first = await engine.submit(UUID(game.id), act(str(roller), Roll()), NOW, keyed(roller, "k"))
    for player in (participant.player for participant in game.participants):
        await engine.submit(UUID(game.id), act(player, Pass()), NOW)
    again = await engine.submit(UUID(game.id), act(str(roller), Roll()), NOW, keyed(roller, "k"))
    assert again == first._replace(is_replay=True)
    with pytest.raises(Refused, match="idempotency_key_reused"):
        await engine.submit(UUID(game.id), act(str(roller), Pass()), NOW, keyed(roller, "k", "another body"))


async def test_a_key_is_looked_up_before_the_game_refuses(engine: Engine) -> None:
    game = await started(engine)
    player = UUID(game.participants[0].player)
    resigned = await engine.submit(UUID(game.id), lambda g, m: play.resign(g, str(player), m), NOW, keyed(player, "k"))
    assert resigned.game.is_over
    again = await engine.submit(UUID(game.id), lambda g, m: play.resign(g, str(player), m), NOW, keyed(player, "k"))
    assert again.is_replay
    assert again.events == resigned.events


async def test_concurrent_creations_with_one_key_make_one_game(engine: Engine, connection: Connection) -> None:
    player = uuid7()
    results = await asyncio.gather(*(create(engine, player, keyed(player, "new")) for _ in range(5)))
    assert len({result.game.id for result in results}) == 1
    assert sum(not result.is_replay for result in results) == 1
    assert {result.code for result in results} == {results[0].code}


async def test_ten_players_want_the_last_seat_and_one_gets_it(make_engine: MakeEngine, conninfo: str) -> None:
    engines = [await make_engine(conninfo), await make_engine(conninfo)]
    done = await create(engines[0], uuid7())
    joins = [engines[n % 2].submit(UUID(done.game.id), join(uuid7()), NOW) for n in range(10)]
    results = await asyncio.gather(*joins, return_exceptions=True)
    assert sorted(getattr(result, "code", "") for result in results if isinstance(result, Refused)) == ["game_full"] * 9


async def test_a_cancelled_caller_loses_neither_its_events_nor_their_publication(
    engine: Engine, connection: Connection
) -> None:
    game = await started(engine)
    published: list[int] = []
    engine.listeners.append(lambda after, _events: published.append(after.version))
    caller = asyncio.create_task(engine.submit(UUID(game.id), next_step(game), NOW))
    await asyncio.sleep(0)  # decided and queued, and not sent yet
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    later = await engine.submit(UUID(game.id), lambda g, m: play.resign(g, str(g.participants[0].player), m), NOW)
    log = await log_of(connection, game)
    assert [event.version for event in log] == list(range(1, later.game.version + 1))
    assert "dice_rolled" in {event.type for event in log}
    assert published == [game.version + 1, later.game.version]


async def test_listeners_are_called_after_the_commit_and_their_errors_are_logged(
    engine: Engine, connection: Connection, conninfo: str, caplog: pytest.LogCaptureFixture
) -> None:
    published: list[tuple[int, int]] = []

    def broken(_game: GameState, _events: tuple[Event, ...]) -> None:
        raise RuntimeError("a broken listener")

    engine.listeners += [broken, lambda game, events: published.append((game.version, len(events)))]
    game = await started(engine)
    assert published == [(2, 2), (game.version, 3)]
    assert "a broken listener" in caplog.text


async def test_a_revoked_session_is_not_authenticated(engine: Engine) -> None:
    game = await started(engine)
    with pytest.raises(Refused, match="not_authenticated"):
        await engine.submit(UUID(game.id), next_step(game), NOW, Caller(None, uuid7()))


async def test_memory_is_bounded_and_a_dropped_game_is_read_again(engine: Engine) -> None:
    games = [await started(engine) for _ in range(4)]
    cache = GameCache(2)
    for game in games:
        cache.put(await engine.read(UUID(game.id)))
    assert [UUID(game.id) in cache for game in games] == [False, False, True, True]
    for game in games:
        engine.forget(UUID(game.id))
        assert (await engine.submit(UUID(game.id), next_step(game), NOW)).game.version == game.version + 1


async def test_seeds_do_not_show_in_logs_or_tracebacks(engine: Engine, connection: Connection) -> None:
    game = await started(engine)
    known = await engine.read(UUID(game.id))
    tip = await store.load(connection, UUID(game.id))
    for shown in (known, known.moment(NOW), tip):
        for text in (repr(shown), pretty_repr(shown)):
            assert known.secret.hex() not in text
            assert repr(known.secret) not in text


async def test_a_command_that_changes_nothing_is_answered_with_the_newest_state(
    make_engine: MakeEngine, conninfo: str
) -> None:
    here, there = await make_engine(conninfo), await make_engine(conninfo)
    game = await started(here)
    await there.submit(UUID(game.id), next_step(game), NOW)
    done = await here.submit(UUID(game.id), lambda g, m: expiry.expire(g, m), NOW)
    assert (done.events, done.game.version) == ((), game.version + 1)


async def test_a_new_game_whose_code_is_taken_gets_another(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, connection: Connection
) -> None:
    taken = (await create(engine, uuid7())).code
    letters = iter(taken + "222222")
    monkeypatch.setattr("games.engine.engine.secrets.choice", lambda _letters: next(letters))
    assert (await create(engine, uuid7())).code == "222222"
