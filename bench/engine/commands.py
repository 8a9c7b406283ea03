"""The cost of a command through the engine (load, decide, append) beside raw one-row INSERTs."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from random import Random
from statistics import median
from typing import Any
from uuid import UUID

import psycopg
import uvloop
from django.db import connection
from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo

from bench.engine import seeding
from bench.report import Line
from games import bots
from games.engine.engine import CommandResult, Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby, play
from games.game.decisions.draft import Draft, Moment
from games.log import connections
from games.log.connections import Connection
from games.log.rows import Caller
from games.rules.actions import Action, Pass, Request, Roll
from games.runtime import conninfo
from players.database.ids import uuid7, uuid_of
from qwixx_service.lifespan import relax_garbage_collection

PLAYERS = tuple(str(UUID(int=n)) for n in range(2))
FEW, MANY = "few_games", "many_games"
ROUNDS = 11
ROLL, PASS = Request(Roll()), Request(Pass())
MOST_COMMANDS, SHORTEST_GAME = 30_000, 24  # a second, and in commands: so many games are ready that they never run out


def now() -> datetime:
    return datetime.now(UTC)


async def new_game(engine: Engine, first: str = PLAYERS[0], second: str = PLAYERS[1]) -> GameState:
    """A game of two, started."""
    game_id = uuid7()
    settings = game_settings.Settings("qwixx", visibility="private", clock=None)

    def create(moment: Moment) -> Draft:
        return lobby.create(str(game_id), settings, first, None, moment)

    await engine.create(game_id, create, now(), Caller())
    done = await engine.submit(game_id, partial(_join, second), now())
    return done.game


def _join(player: str, game: GameState, moment: Moment) -> Draft:
    return lobby.join(game, player, None, moment)


def next_answer(game: GameState) -> tuple[str, Request]:
    """An answer that the game accepts now, found without the rules: in phase white the seats answer in their order."""
    position = game.position
    seat = len(game.sealed) if position.phase == "white" else position.active
    return PLAYERS[seat], ROLL if position.phase == "roll" else PASS


def one_command(engine: Engine, game: GameState) -> Coroutine[Any, Any, CommandResult]:
    return answered(engine, game, *next_answer(game))


def answered(engine: Engine, game: GameState, player: str, request: Request) -> Coroutine[Any, Any, CommandResult]:
    """The coroutine of `Engine.submit` itself: a coroutine around it would add to the measured time."""

    def act(game: GameState, moment: Moment) -> Draft:
        return play.act(game, player, request, moment)

    return engine.submit(uuid_of(game.id), act, now())


async def rate(workers: list[Callable[[], Awaitable[None]]], seconds: float) -> float:
    """How often per second the workers together get their step done."""
    done, until = 0, time.perf_counter() + seconds

    async def work(step: Callable[[], Awaitable[None]]) -> None:
        nonlocal done
        while time.perf_counter() < until:
            await step()
            done += 1

    start = time.perf_counter()
    await asyncio.gather(*(work(step) for step in workers))
    return done / (time.perf_counter() - start)


async def engine_rate(engine: Engine, games: int, seconds: float) -> float:
    """Commands a second. A game that ends is replaced by a spare one, which was created before the measurement."""
    playing = [await new_game(engine) for _ in range(games)]
    waiting = await asyncio.gather(*[new_game(engine) for _ in range(round(MOST_COMMANDS * seconds / SHORTEST_GAME))])

    async def step(index: int) -> None:
        if playing[index].is_over:
            playing[index] = waiting.pop()
        playing[index] = (await one_command(engine, playing[index])).game

    return await rate([partial(step, index) for index in range(games)], seconds)


CREATE = "CREATE TABLE IF NOT EXISTS raw (id uuid PRIMARY KEY, data jsonb, at timestamptz)"


@asynccontextmanager
async def psycopg_inserts(conninfo: str, count: int) -> AsyncIterator[list[Callable[[], Awaitable[None]]]]:
    """Raw one-row INSERTs, each its own commit, by connections that are kept, so that closing is not measured."""

    async def insert(connection: AsyncConnection[Any]) -> None:
        data = '{"seat": 0, "row": "red", "number": 5, "phase": "white"}'
        await connection.execute("INSERT INTO raw VALUES (%s, %s, %s)", (uuid7(), data, now()))

    async with AsyncExitStack() as stack:
        opened = [await AsyncConnection.connect(conninfo, autocommit=True) for _ in range(count)]
        yield [partial(insert, await stack.enter_async_context(connection)) for connection in opened]


@asynccontextmanager
async def asyncpg_inserts(conninfo: str, count: int) -> AsyncIterator[list[Callable[[], Awaitable[None]]]]:
    """The same by the driver of the engine."""

    async def insert(connection: Connection) -> None:
        data = {"seat": 0, "row": "red", "number": 5, "phase": "white"}
        await connection.fetch("INSERT INTO raw VALUES ($1, $2, $3)", uuid7(), data, now())

    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(connections.connected(conninfo)) for _ in range(count)]
        await opened[0].execute(CREATE)
        yield [partial(insert, connection) for connection in opened]


def measure(seconds: float = 1.5) -> list[Line]:
    _make_databases(FEW, MANY)
    relax_garbage_collection()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as the web process has it
        return runner.run(_measure(conninfo(), seconds))


async def _measure(conninfo: str, seconds: float) -> list[Line]:
    engine = Engine(conninfo)
    await engine.open()
    try:
        lines = await _against_inserts(engine, conninfo, seconds)
        lines += await _warm_and_cold(engine, conninfo)
        lines.append(await _late_against_early(engine))
        lines.append(await _many_games_against_few(conninfo, seconds))
        return lines
    finally:
        await engine.close()


def _make_databases(*names: str) -> None:
    """Copies of the bench's own database, to which nothing may be connected meanwhile."""
    database = connection.settings_dict["NAME"]
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    with psycopg.connect(conninfo(), dbname="postgres", autocommit=True) as maker:
        for name in names:
            maker.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, database))))


async def _against_inserts(engine: Engine, conninfo: str, seconds: float) -> list[Line]:
    lines = []
    for games in (1, 8, 32, 128):
        lines += [
            await _against(asyncpg_inserts, "asyncpg", engine, conninfo, games, seconds),
            await _against(psycopg_inserts, "psycopg", engine, conninfo, games, seconds),
        ]
    return lines


async def _against(inserts: Any, driver: str, engine: Engine, conninfo: str, games: int, seconds: float) -> Line:
    """In turn; the median of the ratios of neighbours counts, because the machine is shared."""
    async with inserts(conninfo, games) as raw:
        pairs = [(await rate(raw, seconds / 6), await engine_rate(engine, games, seconds / 6)) for _ in range(ROUNDS)]
    bar, aim = (1.3, 3) if games == 32 and driver == "psycopg" else (None, None)
    ratio, rates = median(ours / raw for raw, ours in pairs), median(ours for _, ours in pairs)
    name = f"{games} games through the engine to raw INSERTs of {games} connections by {driver}"
    return Line(name, ratio, f"times ({rates:,.0f} commands a second)", bar, aim)


async def _timed(command: Awaitable[Any]) -> float:
    start = time.perf_counter()
    await command
    return time.perf_counter() - start


async def _warm_and_cold(engine: Engine, conninfo: str) -> list[Line]:
    warm, cold = [], []
    for _ in range(40):
        game = await new_game(engine)
        player, request = next_answer(game)

        def act(game: GameState, moment: Moment, player: str = player, request: Request = request) -> Draft:
            return play.act(game, player, request, moment)

        engine.forget(UUID(game.id))
        cold.append(await _timed(engine.submit(UUID(game.id), act, now())))
        game = (await engine.read(UUID(game.id))).game
        warm.append(await _timed(one_command(engine, game)))
    return [
        Line("a warm command", median(warm) * 1000, "ms"),
        Line("a cold command to a warm one", median(cold) / median(warm), "times"),
    ]


async def _late_against_early(engine: Engine) -> Line:
    """A seat replaces its sealed answer, on a log of few events and on one of 300."""
    early: list[float] = []
    late: list[float] = []
    for _ in range(12):
        game = await new_game(engine)
        while not game.is_over:
            version, (game, spent) = game.version, await _turn_with_replacements(engine, game)
            early += spent[5:15] if version < 10 else []
            late += spent[5:15] if version >= 300 else []
    return Line("a game's 300th command to its 10th", median(late) / median(early), "times", 1.15, is_ceiling=True)


async def _turn_with_replacements(engine: Engine, game: GameState) -> tuple[GameState, list[float]]:
    """One turn in which seat 0, if it has a choice, replaces its answer twenty times; the time of each replacement."""
    spent = []
    game = (await answered(engine, game, PLAYERS[game.position.active], Request(Roll()))).game
    choice = _medium_answer(game, 0)
    others = [option for option in play.options(game, 0) if option != choice]
    for answer in (others[0], choice) * 10 if others else (choice,):
        start = time.perf_counter()
        game = (await answered(engine, game, PLAYERS[0], Request(answer))).game
        spent.append(time.perf_counter() - start)
    game = (await answered(engine, game, PLAYERS[1], Request(_medium_answer(game, 1)))).game
    if not game.is_over and game.position.phase == "colour":
        seat = game.position.active
        game = (await answered(engine, game, PLAYERS[seat], Request(_medium_answer(game, seat)))).game
    return game, spent


def _medium_answer(game: GameState, seat: int) -> Action:
    """The answer of a medium bot: such games are long."""
    return bots.choose("medium", "qwixx", game.position, seat, Random(1))


async def _many_games_against_few(conninfo: str, seconds: float) -> Line:
    """Two databases of one server, in turn."""
    engines = []
    for name, games in ((FEW, 100), (MANY, 10_000)):
        engines.append(engine := Engine(there := make_conninfo(conninfo, dbname=name)))
        await engine.open()
        await new_game(engine)
        async with await AsyncConnection.connect(there, autocommit=True) as filler:
            await seeding.fill(filler, games, 100)
    rounds = [[await engine_rate(engine, 8, seconds / 3) for engine in engines] for _ in range(7)]
    for engine in engines:
        await engine.close()
    slower = median(few / many for few, many in rounds)
    return Line("a command among 10,000 games to one among 100", slower, "times", 1.2, is_ceiling=True)
