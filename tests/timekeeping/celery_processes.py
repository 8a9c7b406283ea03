"""Celery workers and beat as real processes on the tests' database, and what they have stored."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import AsyncConnection

from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby, play
from games.game.events import moment_of
from games.log.rows import Caller
from players.database.ids import uuid7
from qwixx_service.embedded.process_list import CELERY, NO_PEERS, THREADS
from tests.embedded.launcher import LaunchedProgram
from tests.server import database_url

TIMEOUT_S = 30
process_numbers = count(1)


def now() -> datetime:
    return datetime.now(UTC)


def celery(*arguments: str, **environment: str) -> LaunchedProgram:
    given = {name: os.environ[name] for name in ("REDIS_URL", "SECRET_KEY", "BOT_DELAY_S")}
    argv = (sys.executable, *CELERY, *arguments)
    return LaunchedProgram(argv, Path(os.environ["DATA_DIR"]), DATABASE_URL=database_url(), **{**given, **environment})


def worker(**environment: str) -> LaunchedProgram:
    return celery("worker", *THREADS, *NO_PEERS, f"--hostname=worker{next(process_numbers)}@test", **environment)


def beat(folder: Path) -> AbstractContextManager[LaunchedProgram]:
    return celery("beat", f"--schedule={folder / f'beat{next(process_numbers)}'}")


async def new_game(engine: Engine, due_in_s: float = 20.0, **settings: Any) -> GameState:
    """A game whose first deadline passes that many seconds from now."""
    wanted = game_settings.Settings(**{"ruleset": "qwixx", **settings})
    clock = wanted.clock
    opened = now() if clock is None else now() + timedelta(seconds=due_in_s - clock["roll_s"])
    game_id, players = uuid7(), [uuid7() for _ in range(wanted.seats - len(wanted.bots))]

    def create(moment: Any) -> Any:
        return lobby.create(str(game_id), wanted._replace(bots=()), str(players[0]), None, moment)

    done = await engine.create(game_id, create, opened, Caller(players[0]))
    assert done
    for command in (*map(_join, players[1:]), *map(_seat_bot, wanted.bots)):
        done = await engine.submit(game_id, command, opened)
    return done.game


async def new_game_that_waits_for_a_bot(engine: Engine, **settings: Any) -> GameState:
    while not play.waiting_bots(game := await new_game(engine, bots=("easy",), **settings)):
        pass
    return game


def _join(player: UUID) -> Callable[..., Any]:
    return lambda game, moment: lobby.join(game, str(player), None, moment)


def _seat_bot(level: str) -> Callable[..., Any]:
    return lambda game, moment: lobby.seat_bot(game, game.participants[0].player, level, moment)


class LoggedFact(NamedTuple):
    type: str
    data: Any


async def stored_events(connection: AsyncConnection[Any], game: GameState) -> list[LoggedFact]:
    query = "SELECT type, coalesce(data, body::jsonb) FROM games_event WHERE game_id = %s ORDER BY version"
    rows = await connection.execute(query, [game.id])
    return [LoggedFact(*row) for row in await rows.fetchall()]


async def types(connection: AsyncConnection[Any], game: GameState) -> list[str]:
    return [event.type for event in await stored_events(connection, game)]


async def timeouts(connection: AsyncConnection[Any]) -> list[tuple[UUID, str, float]]:
    """Game, deadline and lateness of every stored time-out."""
    rows = await connection.execute(
        "SELECT game_id, data->>'deadline', at FROM games_event WHERE type = 'time_ran_out'"
    )
    return [
        (game, deadline, (at - moment_of(deadline)).total_seconds()) for game, deadline, at in await rows.fetchall()
    ]


async def until(condition: Callable[[], Any], timeout_s: float = TIMEOUT_S) -> None:
    """Poll the database: other processes fulfil the condition."""
    give_up = time.monotonic() + timeout_s
    while not await condition():
        assert time.monotonic() < give_up, "the condition was not met in time"
        await asyncio.sleep(0.02)


async def simulate_outage(connection: AsyncConnection[Any], seconds: int = 60) -> None:
    """Move the last heartbeat back: a web process of other tests may run and keep it."""
    await connection.execute("UPDATE games_pulse SET at = at - %s * interval '1 second'", [seconds])
