"""Turns of bots, over REST with a real worker, and through the engine."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

import pytest
from psycopg import AsyncConnection

from games import bots
from games.engine.engine import Engine
from games.game.aggregate import PLAYING
from games.game.bot_names import bot_profile
from games.game.decisions import play
from games.metrics import shared_counters
from games.rules.registry import RULESETS
from games.timekeeping import bot_turns
from tests.api.client import Json, Player
from tests.embedded.launcher import LaunchedProgram
from tests.engine.games import act
from tests.timekeeping.celery_processes import (
    new_game,
    new_game_that_waits_for_a_bot,
    now,
    stored_events,
    worker,
)

Database = AsyncConnection[Any]


@pytest.fixture(scope="module")
def one_worker(django_db_setup: None) -> Iterator[LaunchedProgram]:
    with worker() as process:
        process.wait_for("ready.")
        yield process


@pytest.fixture
async def people(server: str, transactional_db: None) -> AsyncIterator[list[Player]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(await Player.arrive(server, name)) for name in ("Ann", "Bob")]


@pytest.fixture
async def ann(people: list[Player]) -> Player:
    return people[0]


async def play_on(player: Player, game: Json) -> Json:
    """The player rolls in their own turn and otherwise passes, until the game is over."""
    while game["status"] == "playing":
        if game["you"] in game["turn"]["waiting_for"]:
            choice = next(option for option in game["options"] if option["type"] in ("roll", "keep", "pass"))
            await player.act(game, choice)
        else:
            await player.get(f"/games/{game['id']}/events", params={"after": game["version"], "wait": 20})
        game = await player.view(game)
    return game


@pytest.mark.parametrize("ruleset", list(RULESETS))
async def test_a_person_who_only_passes_plays_to_the_end_against_three_bots(
    ruleset: str, ann: Player, one_worker: LaunchedProgram, connection: Database
) -> None:
    game = await ann.create(ruleset=ruleset, seats=4, bots=["easy", "medium", "hard"])
    game = await play_on(ann, game)
    assert game["status"] == "finished"
    events = await ann.get(f"/games/{game['id']}/events", params={"limit": 1000})
    types = [event["type"] for event in events["results"]]
    assert "time_ran_out" not in types
    assert [seat["player"]["is_bot"] for seat in game["seats"]] == [False, True, True, True]
    again = await ann.post(f"/games/{game['id']}/rematch")
    assert [seat["player"].get("level") for seat in again["seats"]] == [None, "easy", "medium", "hard"]
    assert again["status"] == "playing"


async def test_the_host_seats_bots_one_by_one(people: list[Player], one_worker: LaunchedProgram) -> None:
    ann, bob = people
    game = await ann.create(seats=3)
    path = f"/games/{game['id']}/bots"
    seated = await ann.post(path, {"level": "expert"})
    bot = bot_profile(game["id"], 0, "expert")
    assert seated["seats"][1] == {"seat": 1, "player": bot, "state": "playing"}
    assert (await bob.post(path, {"level": "easy"}, 403))["code"] == "not_seated"
    assert (await ann.post(path, {"level": "genius"}, 400))["errors"][0]["pointer"] == "/level"
    assert (await ann.post(path, {"level": "easy"}))["status"] == "playing"
    assert (await ann.post(path, {"level": "easy"}, 409))["code"] == "game_full"


async def test_a_rated_game_is_refused_with_bots(people: list[Player]) -> None:
    ann, _bob = people
    assert (await ann.create(422, seats=4, rated=True, bots=["easy"]))["code"] == "rated_needs_people"
    game = await ann.create(seats=4, rated=True)
    refused = await ann.post(f"/games/{game['id']}/bots", {"level": "easy"}, 422)
    assert refused["code"] == "rated_needs_people"
    assert (await ann.view(game))["version"] == game["version"]


async def test_the_metrics_show_deadlines_bots_and_queues(ann: Player, one_worker: LaunchedProgram) -> None:
    await play_on(ann, await ann.create(bots=["easy"]))
    text = (await ann.http.get("http://" + ann.http.base_url.netloc.decode() + "/metrics")).text
    for name in (
        "qwixx_deadline_lateness_seconds_count",
        "qwixx_bot_decision_seconds_bucket",
        "qwixx_bot_failures_total",
        "qwixx_overdue_games",
        'qwixx_queue_length{queue="bots"}',
    ):
        assert name in text


async def test_a_bot_answers_once_though_several_engines_play_it(
    engine: Engine, connection: Database, conninfo: str
) -> None:
    game = await new_game(engine, bots=("easy",), visibility="private", clock=None)
    (person,), (bot,) = (
        [participant for participant in game.participants if bool(participant.player) == is_person]
        for is_person in (1, 0)
    )
    async with AsyncExitStack() as stack:
        others = [Engine(conninfo) for _ in range(2)]
        for other in others:
            await other.open()
            stack.push_async_callback(other.close)
        while game.status == PLAYING:
            runs = (bot_turns.play_bots(one, UUID(game.id), now) for one in (engine, *others, engine))
            await asyncio.gather(*runs)
            game = (await engine.read(UUID(game.id))).game
            if person.seat in game.waiting_for():
                answer = act(person.player, play.options(game, person.seat)[-1])
                await engine.submit(UUID(game.id), answer, now())
                game = (await engine.read(UUID(game.id))).game
    events = [
        event for event in await stored_events(connection, game) if event.type in ("answer_sealed", "dice_rolled")
    ]
    sealed = [event for event in events if event.type == "answer_sealed" and event.data["seat"] == bot.seat]
    assert len(sealed) == len([event for event in events if event.type == "dice_rolled"])


async def test_a_bot_that_fails_takes_the_default_action(
    engine: Engine, connection: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    for players in bots.BOTS.values():
        monkeypatch.setitem(players, "easy", broken)
    shared_counters.BOT_FAILURES.take()
    game = await new_game_that_waits_for_a_bot(engine, ruleset="qwinto", visibility="private", clock=None)
    await bot_turns.play_bots(engine, UUID(game.id), now)
    (rolled,) = [event for event in await stored_events(connection, game) if event.type == "dice_rolled"]
    assert set(rolled.data["dice"]) == {"orange", "yellow", "purple"}  # the action of a passed deadline
    assert shared_counters.BOT_FAILURES.take()["qwixx_bot_failures sum"] == 1


async def test_the_luck_of_a_bot_depends_on_its_own_secret_only(engine: Engine) -> None:
    game = await new_game(engine, bots=("easy",))
    known = await engine.read(UUID(game.id))
    draw = bot_turns.luck(known, 1).random()
    assert bot_turns.luck(known._replace(secret=bytes(32)), 1).random() == draw
    others = [
        bot_turns.luck(known._replace(bot_secret=bytes(32)), 1),
        bot_turns.luck(known, 0),
        bot_turns.luck(known._replace(game=game._replace(position=game.position._replace(roll=9))), 1),
        random.Random(game.id),
    ]
    assert draw not in {luck.random() for luck in others}
