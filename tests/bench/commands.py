"""What a command costs through the engine (load, decide, append), beside raw one-row INSERTs by the same driver."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from statistics import median
from typing import Any
from uuid import UUID

import uvloop
from psycopg import AsyncConnection

from games import lobby, play, store
from games.draft import Draft, Moment
from games.engine import Engine
from games.game import Game
from games.process import conninfo
from games.rows import Caller
from games.rules.actions import Pass, Request, Roll
from players.ids import uuid7
from tests.bench import seeding
from tests.bench.report import Line

PLAYERS = tuple(str(UUID(int=n)) for n in range(2))


def now() -> datetime:
    return datetime.now(UTC)


async def new_game(engine: Engine, first: str = PLAYERS[0], second: str = PLAYERS[1]) -> Game:
    """A game of two, started."""
    game_id = uuid7()
    settings = lobby.Settings("qwixx", visibility="private", clock=None)

    def create(moment: Moment) -> Draft:
        return lobby.create(str(game_id), settings, first, None, moment)

    await engine.create(game_id, create, now(), Caller())
    done = await engine.submit(game_id, partial(_join, second), now())
    return done.game


def _join(player: str, game: Game, moment: Moment) -> Draft:
    return lobby.join(game, player, None, moment)


def next_answer(game: Game, *, is_replacing: bool = False) -> tuple[str, Request]:
    """An answer the game accepts now, found at no cost; to make games long, some are replaced many times."""
    sealed = len(game.sealed)
    if is_replacing and game.position.phase == "white" and 0 < sealed < 15:
        return PLAYERS[game.sealed[-1].seat], Request(_other(game, game.sealed[-1].seat))
    return PLAYERS[game.waiting_for()[0]], Request(Roll() if game.position.phase == "roll" else Pass())


def _other(game: Game, seat: int) -> Any:
    """Not what the seat has sealed last."""
    last = game.answers()[seat]
    return next((option for option in play.options(game, seat) if option != last), Pass())


async def one_command(engine: Engine, game: Game, *, is_replacing: bool = False) -> Game:
    if game.is_over:
        return await new_game(engine)
    player, request = next_answer(game, is_replacing=is_replacing)

    def act(game: Game, moment: Moment) -> Draft:
        return play.act(game, player, request, moment)

    return (await engine.submit(UUID(game.id), act, now())).game


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
    tables = [await new_game(engine) for _ in range(games)]

    async def step(index: int) -> None:
        tables[index] = await one_command(engine, tables[index])

    return await rate([partial(step, index) for index in range(games)], seconds)


async def insert_rate(conninfo: str, connections: int, seconds: float) -> float:
    """Raw one-row INSERTs of an event's size, each its own commit."""
    opened = [await store.connect(conninfo) for _ in range(connections)]
    await opened[0].execute("CREATE TABLE IF NOT EXISTS raw (id uuid PRIMARY KEY, data jsonb, at timestamptz)")

    async def step(connection: AsyncConnection[Any]) -> None:
        values = (uuid7(), '{"seat": 0, "row": "red", "number": 5, "phase": "white"}', now())
        await connection.execute("INSERT INTO raw VALUES (%s, %s, %s)", values)

    try:
        return await rate([partial(step, connection) for connection in opened], seconds)
    finally:
        for connection in opened:
            await connection.close()


def measure(seconds: float = 1.5) -> list[Line]:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as the web process has it
        return runner.run(_measure(conninfo(), seconds))


async def _measure(conninfo: str, seconds: float) -> list[Line]:
    engine = Engine(conninfo)
    await engine.open()
    try:
        lines = await _against_inserts(engine, conninfo, seconds)
        lines += await _warm_and_cold(engine, conninfo)
        lines.append(await _late_against_early(engine))
        lines.append(await _many_games_against_few(engine, conninfo, seconds))
        return lines
    finally:
        await engine.close()


async def _against_inserts(engine: Engine, conninfo: str, seconds: float) -> list[Line]:
    lines = []
    for games in (1, 8, 32, 128):
        # Turn and turn about, the middle one of each: the machine is shared.
        pairs = [
            (await insert_rate(conninfo, games, seconds / 3), await engine_rate(engine, games, seconds / 3))
            for _ in range(3)
        ]
        raw, ours = (median(side) for side in zip(*pairs, strict=True))
        bar, aim = (1.5, 3) if games == 32 else (None, None)
        lines.append(Line(f"{games} games at once through the engine", ours, "commands a second"))
        lines.append(Line(f"  … to raw INSERTs of {games} connections", ours / raw, "times", bar, aim))
    return lines


async def _timed(command: Awaitable[Any]) -> float:
    start = time.perf_counter()
    await command
    return time.perf_counter() - start


async def _warm_and_cold(engine: Engine, conninfo: str) -> list[Line]:
    warm, cold = [], []
    for _ in range(40):
        game = await new_game(engine)
        player, request = next_answer(game)

        def act(game: Game, moment: Moment, player: str = player, request: Request = request) -> Draft:
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
    """Games made long by replacing answers: the 300th command beside the 10th."""
    early: list[float] = []
    late: list[float] = []
    while len(late) < 60:
        game = await new_game(engine)
        for number in range(1, 306):
            if game.is_over:
                break
            spent = time.perf_counter()
            game = await one_command(engine, game, is_replacing=True)
            spent = time.perf_counter() - spent
            early += [spent] if 6 <= number <= 15 else []
            late += [spent] if 296 <= number <= 305 else []
    return Line("a game's 300th command to its 10th", median(late) / median(early), "times", 1.15, is_ceiling=True)


async def _many_games_against_few(engine: Engine, conninfo: str, seconds: float) -> Line:
    connection = await store.connect(conninfo)
    try:
        await seeding.fill(connection, 100, 100)
        few = max([await engine_rate(engine, 8, seconds / 3) for _ in range(3)])
        await seeding.fill(connection, 10_000, 100)
        many = max([await engine_rate(engine, 8, seconds / 3) for _ in range(3)])
    finally:
        await connection.close()
    return Line("a command among 10,000 games to one among 100", few / many, "times", 1.2, is_ceiling=True)
