"""PostgreSQL killed with SIGKILL under load, at chosen moments: every call is answered, no event is lost or doubled.

FAULT_KILLS sets how often it is killed at each moment.
"""

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any
from uuid import UUID

import pytest
import uvloop

from games.engine.engine import SUBMIT_S, Engine
from games.game.aggregate import GameState
from games.game.decisions.draft import Draft, Moment
from games.game.events import Event, first_bad_version
from games.log.rows import Caller
from games.rules.refused import Refused
from qwixx_service.embedded import orphaned_processes
from qwixx_service.embedded.server_process import Server
from tests.engine.games import NOW, next_step, started
from tests.faults import holding_proxy
from tests.faults.holding_proxy import HoldingProxy

KILLS = int(os.environ.get("FAULT_KILLS", "4"))
GAMES = 8
ANSWERED_S = SUBMIT_S + 2.0  # a busy machine is a little later than the bound

Postgres = tuple[str, Server]


class Load:
    """Players of several games, each with one command under way at any time, and readers of the same games."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.acknowledged: list[Event] = []
        self.unavailable = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._answered = [0] * GAMES

    async def start(self) -> None:
        games = [await started(self.engine) for _ in range(GAMES)]
        self._tasks = [asyncio.create_task(self._play(number, game)) for number, game in enumerate(games)]
        self._tasks += [asyncio.create_task(self._read(game)) for game in games[:2]]

    async def is_served(self) -> None:
        """Returns when every game has had a command acknowledged from now on; raises what a player raised."""
        self._answered = [0] * GAMES
        async with asyncio.timeout(3 * ANSWERED_S):
            while not all(self._answered):
                await asyncio.wait(self._tasks, timeout=0.02, return_when=asyncio.FIRST_COMPLETED)
                for task in self._tasks:
                    if task.done():
                        task.result()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _play(self, number: int, game: GameState) -> None:
        while True:
            try:
                if game.is_over:
                    game = await started(self.engine)
                async with asyncio.timeout(ANSWERED_S):
                    done = await self.engine.submit(UUID(game.id), _step, NOW, Caller())
            except Refused as refused:
                if refused.code != "unavailable":
                    raise
                self.unavailable += 1
                continue
            self.acknowledged += done.events
            self._answered[number] += 1
            game = done.game

    async def _read(self, game: GameState) -> None:
        while True:
            try:
                async with asyncio.timeout(ANSWERED_S):
                    await self.engine.read(UUID(game.id))
            except Refused as refused:
                if refused.code != "unavailable":
                    raise
            await asyncio.sleep(0.005)

    async def check(self) -> None:
        """Every acknowledged event is in the log, once, and every log is whole."""
        logs = {game: await self.engine.log(UUID(game)) for game in {event.game for event in self.acknowledged}}
        for log in logs.values():
            assert first_bad_version(log) is None
        versions = [(event.game, event.version) for event in self.acknowledged]
        assert len({*versions}) == len(versions)
        for event in self.acknowledged:
            assert logs[event.game][event.version - 1] == event


def _step(game: GameState, moment: Moment) -> Draft:
    return next_step(game)(game, moment)


async def kill(server: Server) -> None:
    """The server and every backend of it."""
    assert server.process
    await asyncio.to_thread(orphaned_processes.end, server.folder, server.programs, signal.SIGKILL)
    await asyncio.to_thread(server.process.wait)


async def start(server: Server) -> None:
    """From this thread, because the server ends with the thread that started it."""
    server.begin()
    while not await asyncio.to_thread(server.answers):  # noqa: ASYNC110  (PostgreSQL has no event for it)
        await asyncio.sleep(0.05)


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """On uvloop, as the web process."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(scenario)


async def survive(postgres: Postgres, moment: holding_proxy.HoldAt | None) -> None:
    url, server = postgres
    async with HoldingProxy(url).listening() as proxy:
        engine = Engine(proxy.conninfo)
        await engine.open()
        load = Load(engine)
        await load.start()
        for _ in range(KILLS):
            await load.is_served()
            if moment is not None:
                await hold(engine, proxy, moment)
            await kill(server)
            proxy.release()
            await start(server)
            await load.is_served()
        await load.stop()
        await load.check()
        await engine.close()


async def hold(engine: Engine, proxy: HoldingProxy, moment: holding_proxy.HoldAt) -> None:
    reached = proxy.hold(moment)
    if moment is holding_proxy.HoldAt.CONNECT:  # a connection of its own, that the engine opens when it beats first
        beat = asyncio.create_task(engine.outage_monitor.beat())
        await reached.wait()
        beat.add_done_callback(lambda done: done.exception())
        await engine.outage_monitor.close()
    async with asyncio.timeout(ANSWERED_S):
        await reached.wait()


@pytest.mark.parametrize("moment", list(holding_proxy.HoldAt), ids=lambda moment: moment.name.lower())
def test_a_kill_at_a_chosen_moment_loses_no_call_and_no_event(postgres: Postgres, moment: holding_proxy.HoldAt) -> None:
    run(survive(postgres, moment))


def test_a_kill_at_any_moment_loses_no_call_and_no_event(postgres: Postgres) -> None:
    run(survive(postgres, None))


def test_an_idle_engine_serves_after_a_kill(postgres: Postgres) -> None:
    async def scenario() -> None:
        url, server = postgres
        engine = Engine(url)
        await engine.open()
        game = await started(engine)
        await engine.read(UUID(game.id))
        for _ in range(KILLS):
            await kill(server)
            await start(server)
            assert (await engine.read(UUID(game.id))).game == game
            game = (await engine.submit(UUID(game.id), _step, NOW)).game
        await engine.close()

    run(scenario())


def test_calls_to_a_server_that_hangs_are_unavailable_in_time(postgres: Postgres) -> None:
    async def scenario() -> None:
        url, _ = postgres
        async with HoldingProxy(url).listening() as proxy:
            engine = Engine(proxy.conninfo)
            await engine.open()
            games = [await started(engine) for _ in range(3)]
            proxy.freeze()
            began = asyncio.get_running_loop().time()
            calls: list[Any] = [engine.submit(UUID(game.id), _step, NOW) for game in games for _ in range(2)]
            calls += [engine.read(UUID(game.id)) for game in games]
            results = await asyncio.gather(*calls, return_exceptions=True)
            assert [getattr(result, "code", result) for result in results] == ["unavailable"] * 9
            assert asyncio.get_running_loop().time() - began < ANSWERED_S
            proxy.thaw()
            for game in games:
                assert (await engine.submit(UUID(game.id), _step, NOW)).events
            await engine.close()

    run(scenario())
