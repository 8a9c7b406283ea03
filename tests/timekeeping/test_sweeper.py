"""One sweeper with a clock that the test sets: when it acts, and on which games."""

import time
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

import pytest
from psycopg import AsyncConnection

from games.engine.engine import Engine
from games.game.aggregate import ABORTED, OPEN, PLAYING, GameState
from games.game.decisions import game_settings, lobby, play
from games.game.events import moment_of
from games.log.reads import due_games
from games.log.rows import Caller
from games.timekeeping import bot_turns, deadlines
from games.timekeeping.sweeper import LOOKAHEAD, Sweeper
from players.database.ids import uuid7
from tests.timekeeping.celery_processes import new_game, new_game_that_waits_for_a_bot, now, types

Database = AsyncConnection[Any]


class ManualClock:
    def __init__(self) -> None:
        self.now = now()

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def sweeper(clock: ManualClock) -> Sweeper:
    return Sweeper(clock, 0.0)


async def state(engine: Engine, game: GameState) -> GameState:
    return (await engine.read(UUID(game.id))).game


async def test_a_game_whose_only_person_goes_away_is_aborted(
    engine: Engine, sweeper: Sweeper, clock: ManualClock, connection: Database
) -> None:
    game = await new_game(engine, seats=4, bots=("easy", "medium", "hard"))
    while game.status == PLAYING:
        if play.waiting_bots(game):
            await bot_turns.play_bots(engine, UUID(game.id), clock)
        else:
            assert game.deadline
            clock.now = moment_of(game.deadline)
            await sweeper.sweep(engine)
        game = await state(engine, game)
    assert game.status == ABORTED
    events = await types(connection, game)
    assert events.count("time_ran_out") == 3
    assert events[-1] == "game_aborted"


async def test_a_bot_that_no_process_played_times_out_but_never_goes_away(engine: Engine, connection: Database) -> None:
    game = await new_game_that_waits_for_a_bot(engine)
    bot = game.position.active
    for _ in range(3):
        assert game.deadline
        await deadlines.expire(engine, UUID(game.id), moment_of(game.deadline))
        game = await state(engine, game)
    assert (await types(connection, game)).count("time_ran_out") == 3
    assert game.participants[bot].state == "playing"


async def test_the_sweeper_plays_bots_whose_task_was_lost(engine: Engine, sweeper: Sweeper, clock: ManualClock) -> None:
    game = await new_game_that_waits_for_a_bot(engine, visibility="private", clock=None)
    clock.now = moment_of(game.at) + timedelta(seconds=1.9)
    await sweeper.sweep(engine)
    assert (await state(engine, game)).version == game.version
    clock.now += timedelta(seconds=0.2)
    await sweeper.sweep(engine)
    assert (await state(engine, game)).version > game.version


async def test_a_sweeper_skips_games_that_another_one_has_claimed(engine: Engine) -> None:
    games = {UUID((await new_game(engine, due_in_s=-1)).id) for _ in range(3)}
    async with engine.claiming() as connection:
        (first,) = await due_games.claim_deadlines(connection, now(), 1)
        rest = await due_games.claim_deadlines(connection, now(), 10)
    assert {first.game} | {game for game, _ in rest} == games
    assert len(rest) == 2


async def test_a_claim_that_expires_soon_is_taken_over_for_the_moment_when_it_has_expired(engine: Engine) -> None:
    """So that a sweeper that is frozen delays a deadline by the length of its lease, not by further sweeps."""
    game = UUID((await new_game(engine, due_in_s=-1)).id)
    async with engine.claiming() as connection:
        before = now()
        (first,) = await due_games.claim_deadlines(connection, before + LOOKAHEAD, 1)
        assert await due_games.claim_deadlines(connection, before, 1) == []
        (second,) = await due_games.claim_deadlines(connection, before + LOOKAHEAD, 1)
    assert (first.game, second.game) == (game, game)
    assert first.ready_at < before < second.ready_at <= now() + timedelta(seconds=0.75)


async def test_a_claim_of_bots_expires_by_itself(engine: Engine, connection: Database) -> None:
    game = UUID((await new_game_that_waits_for_a_bot(engine, visibility="private", clock=None)).id)
    async with engine.claiming() as claiming:
        assert await due_games.claim_bots(claiming, now(), 10) == [game]
        assert await due_games.claim_bots(claiming, now(), 10) == []
        await connection.execute("UPDATE games_seed SET bots_claimed_until = clock_timestamp()")
        assert await due_games.claim_bots(claiming, now(), 10) == [game]


async def test_a_process_whose_clock_is_wrong_sweeps_nothing(
    engine: Engine, sweeper: Sweeper, clock: ManualClock, connection: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await new_game(engine, due_in_s=-1)
    right = time.time
    monkeypatch.setattr("games.log.outages.time.time", lambda: right() + 5.0)
    await sweeper.sweep(engine)
    assert "time_ran_out" not in await types(connection, game)
    monkeypatch.undo()
    await engine.outage_monitor.beat()
    await sweeper.sweep(engine)
    assert "time_ran_out" in await types(connection, game)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE games_game SET head_hash = 'x' WHERE id = %s",
        "UPDATE games_event SET type = 'from_newer_code' WHERE game_id = %s AND version = 2",
        "UPDATE games_event SET data = data - 'seat' WHERE game_id = %s AND version = 2",
        "DELETE FROM games_event WHERE game_id = %s",
    ],
    ids=["head", "type", "data", "nothing"],
)
async def test_a_game_that_cannot_be_read_does_not_hold_up_the_others(
    engine: Engine, sweeper: Sweeper, clock: ManualClock, connection: Database, damage: LiteralString
) -> None:
    broken, sound = [await new_game(engine, due_in_s=-1) for _ in range(2)]
    await connection.execute("SET session_replication_role = replica")  # disables the triggers that guard the log
    await connection.execute(damage, [broken.id])
    await connection.execute("SET session_replication_role = DEFAULT")
    for game in (broken, sound):
        engine.forget(UUID(game.id))
    await sweeper.sweep(engine)
    assert "time_ran_out" in await types(connection, sound)
    assert "time_ran_out" not in await types(connection, broken)


async def test_an_open_game_without_events_for_a_day_is_aborted(
    engine: Engine, sweeper: Sweeper, clock: ManualClock, connection: Database
) -> None:
    playing = await new_game(engine, clock={"roll_s": 1209600, "answer_s": 1209600})
    game_id, player = uuid7(), uuid7()

    def create(moment: Any) -> Any:
        return lobby.create(str(game_id), game_settings.Settings("qwixx", seats=4), str(player), None, moment)

    done = await engine.create(game_id, create, now(), Caller(player))
    assert done
    clock.now = moment_of(done.game.at) + timedelta(hours=23, minutes=59)
    await sweeper.abort_abandoned_games(engine)
    assert (await state(engine, done.game)).status == OPEN
    join = lambda game, moment: lobby.join(game, str(uuid7()), None, moment)  # noqa: E731
    await engine.submit(game_id, join, clock.now)
    clock.now += timedelta(hours=12)
    await sweeper.abort_abandoned_games(engine)
    assert (await state(engine, done.game)).status == OPEN
    clock.now += timedelta(hours=13)
    await sweeper.abort_abandoned_games(engine)
    assert (await state(engine, done.game)).status == ABORTED
    assert (await engine.log(game_id))[-1].data["reason"] == "abandoned"
    assert (await state(engine, playing)).status == PLAYING
