"""Games for tests of webhooks, stored by the engine of the test process with chosen times."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from games import runtime
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings, lobby
from games.game.events import Event
from games.log.rows import Caller
from games.rules.actions import Resign
from games.webhooks import collector, dispatcher
from players.database.ids import uuid7
from tests.engine.games import NO_CLOCK, act, join, next_step


class TestClock:
    """The time of a test; every append has its own."""

    __test__ = False

    def __init__(self, now: datetime | None = None) -> None:
        self.now = now or datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **duration: float) -> datetime:
        self.now += timedelta(**duration)
        return self.now

    def tick(self) -> datetime:
        return self.wait(milliseconds=1)


def start(clock: TestClock, /, *players: UUID, **settings: Any) -> GameState:
    """A started game of these players."""
    game_id = uuid7()
    wanted = game_settings.Settings(**{"ruleset": "qwixx", **NO_CLOCK, "seats": len(players), **settings})

    async def run(engine: Engine) -> GameState:
        def create(moment: Any) -> Any:
            return lobby.create(str(game_id), wanted, str(players[0]), None, moment)

        done = await engine.create(game_id, create, clock.tick(), Caller(players[0]))
        for player in players[1:]:
            done = await engine.submit(game_id, join(player), clock.tick())
        assert done
        return done.game

    return runtime.call(run)


def step(clock: TestClock, game: GameState, count: int = 1) -> GameState:
    """The first option of the first seat that is waited for, so many times."""

    async def run(engine: Engine) -> GameState:
        after = game
        for _ in range(count):
            if after.is_over:
                break
            after = (await engine.submit(UUID(after.id), next_step(after), clock.tick())).game
        return after

    return runtime.call(run)


def resign(clock: TestClock, game: GameState, player: UUID) -> GameState:
    command = act(str(player), Resign())
    return runtime.call(lambda engine: engine.submit(UUID(game.id), command, clock.tick())).game


def read_log(game: UUID) -> list[Event]:
    return runtime.call(lambda engine: engine.log(game))


def deliver(clock: TestClock) -> None:
    """As the task does it."""
    collector.collect(read_log, clock(), is_thorough=True)
    dispatcher.Dispatcher().run(clock)
