"""Every deadline that was set before an outage is credited with it once, before it is enforced."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from psycopg import AsyncConnection

from games import commands
from games.commands import CommandContext
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import expiry
from games.game.decisions.expiry import OutagePeriod
from games.game.events import moment_of, stamp
from games.log import outages
from games.log.rows import Caller
from games.rules.actions import Request, Roll
from games.rules.refused import Refused
from games.timekeeping import deadlines
from tests.builders import started
from tests.timekeeping.celery_processes import new_game, now, simulate_outage, stored_events, types
from tests.timekeeping.waiting_games import give_seed, waiting_game

Database = AsyncConnection[Any]


@pytest.fixture
async def other(conninfo: str) -> Any:
    """A second engine, in place of another process."""
    engine = Engine(conninfo)
    await engine.open()
    yield engine
    await engine.close()


@pytest.fixture(autouse=True)
def _always_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a sleep of the machine: what an engine knows of outages is too old to be used."""
    monkeypatch.setattr(outages, "KNOWN_FOR_S", 0.0)


async def gap(engine: Engine, connection: Database, seconds: int = 60) -> None:
    """An outage that the engine does not know of yet."""
    await engine.outage_monitor.beat()
    await simulate_outage(connection, seconds)


def seconds_between(before: str | None, after: str | None) -> float:
    assert before is not None
    assert after is not None
    return (moment_of(after) - moment_of(before)).total_seconds()


def roller(game: GameState) -> CommandContext:
    return CommandContext(Caller(UUID(game.participants[game.position.active].player or "")), now())


async def test_a_gap_of_over_five_seconds_is_one_outage_for_all_processes(
    engine: Engine, other: Engine, connection: Database
) -> None:
    await gap(engine, connection, 4)
    await other.outage_monitor.beat()
    assert await engine.outage_monitor.outages() == ()
    await gap(engine, connection, 6)
    await asyncio.gather(engine.outage_monitor.beat(), other.outage_monitor.beat())
    await asyncio.gather(engine.outage_monitor.beat(), other.outage_monitor.beat())
    (outage,) = await engine.outage_monitor.outages()
    assert (await other.outage_monitor.outages()) == (outage,)
    assert 6 <= seconds_between(outage.began, outage.ended) < 7
    assert outage.seconds == 7


async def test_a_player_who_reads_a_game_after_an_outage_sees_the_credited_deadline(
    engine: Engine, connection: Database
) -> None:
    game = await new_game(engine, due_in_s=10)
    await gap(engine, connection)
    player = game.participants[0].player or ""
    after = (await deadlines.up_to_date(engine, UUID(game.id), player, now())).game
    assert 60 <= seconds_between(game.deadline, after.deadline) <= 62
    assert await deadlines.up_to_date(engine, UUID(game.id), player, now()) == await engine.read(UUID(game.id))
    assert (await types(connection, game)).count("time_credited") == 1


async def test_an_answer_that_is_late_only_because_of_an_outage_is_accepted(
    engine: Engine, connection: Database
) -> None:
    game = await new_game(engine, due_in_s=-10)
    await gap(engine, connection)
    done = await commands.act(engine, UUID(game.id), Request(Roll()), roller(game))
    assert [event.type for event in done.events] == ["dice_rolled"]
    assert (await types(connection, game))[-2:] == ["time_credited", "dice_rolled"]


async def test_a_client_seed_that_is_late_only_because_of_an_outage_is_accepted(
    engine: Engine, connection: Database
) -> None:
    game = await waiting_game(engine, due_in_s=-10)
    await gap(engine, connection)
    assert await give_seed(engine, game) == ""
    assert (await types(connection, game))[3:] == ["time_credited", "seed_given", "game_started", "turn_started"]


async def test_an_answer_after_the_credited_deadline_is_refused(engine: Engine, connection: Database) -> None:
    game = await new_game(engine, due_in_s=-70)
    await gap(engine, connection)
    with pytest.raises(Refused, match="too_late"):
        await commands.act(engine, UUID(game.id), Request(Roll()), roller(game))
    assert (await types(connection, game))[-3:] == ["time_credited", "time_ran_out", "dice_rolled"]


async def test_a_phase_that_opened_after_an_outage_is_not_credited(engine: Engine, connection: Database) -> None:
    before = await new_game(engine, due_in_s=10)
    await gap(engine, connection)
    await engine.outage_monitor.beat()
    after = await new_game(engine, due_in_s=20)
    for game in (before, after):
        await deadlines.expire(engine, UUID(game.id), now())
    assert "time_credited" in await types(connection, before)
    assert "time_credited" not in await types(connection, after)


async def test_each_of_several_outages_is_credited_once(engine: Engine, connection: Database) -> None:
    game = await new_game(engine, due_in_s=10, clock={"roll_s": 3600, "answer_s": 3600})
    for seconds in (10, 20):
        await gap(engine, connection, seconds)
        await engine.outage_monitor.beat()
    await deadlines.expire(engine, UUID(game.id), now())
    await gap(engine, connection, 30)
    await deadlines.expire(engine, UUID(game.id), now())
    credited = [event.data for event in await stored_events(connection, game) if event.type == "time_credited"]
    assert sorted(data["seconds"] // 10 for data in credited) == [1, 2, 3]
    assert len({data["key"] for data in credited}) == 3
    assert credited[-1]["deadline"] == (await engine.read(UUID(game.id))).game.deadline


async def test_two_engines_that_credit_at_once_store_one_credit(
    engine: Engine, other: Engine, connection: Database
) -> None:
    game = await new_game(engine, due_in_s=10)
    await gap(engine, connection)
    await asyncio.gather(*(deadlines.expire(one, UUID(game.id), now()) for one in (engine, other) for _ in range(3)))
    assert (await types(connection, game)).count("time_credited") == 1


async def test_an_engine_with_old_knowledge_of_outages_asks_before_it_enforces(
    engine: Engine, connection: Database
) -> None:
    game = await new_game(engine, due_in_s=-10)
    await gap(engine, connection)
    assert game.deadline
    await deadlines.enforce(engine, UUID(game.id), game.deadline, now())
    assert (await types(connection, game))[-1] == "time_credited"


def test_owed_outages_do_not_depend_on_earlier_credits() -> None:
    table = started(clock={"roll_s": 100, "answer_s": 100})
    opened = moment_of(table.game.at)
    gaps = [
        OutagePeriod(stamp(opened.replace(minute=begin)), stamp(opened.replace(minute=begin + 1)))
        for begin in (1, 3, 5)
    ]
    earlier = OutagePeriod(
        stamp(opened.replace(hour=opened.hour - 1)), stamp(opened.replace(hour=opened.hour - 1, second=9))
    )
    for number, outage in enumerate(gaps, start=1):
        assert expiry.outages_to_credit(table.game, [earlier, *gaps[:number]]) == (outage,)
        table.do(expiry.credit_outages, [earlier, *gaps[:number]])
    assert expiry.outages_to_credit(table.game, [earlier, *gaps]) == ()
