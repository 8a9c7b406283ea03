"""A queueing model of the service under load: `python -m bench.simulate_scale --games 10000 --webs 3`.

Commands come at random to web processes, each of which has one event loop and one writer. A writer has at most one
batch under way; the cores of PostgreSQL serve the batches of all writers, and a batch then waits for the disk. The
completed commands are sent to sockets by the loop, and through Redis to the process of the other player. Service times
are measured ones (docs/scale.md); everything is first come, first served.
"""

import argparse
import heapq
from collections import deque
from collections.abc import Callable
from random import Random
from typing import NamedTuple

LARGEST_BATCH = 64  # as games/log/group_commit.py
BUSY = 0.8  # of a station: above it, waits grow faster than the load


class Load(NamedTuple):
    games: int  # under way
    webs: int  # processes
    cores: int  # of PostgreSQL
    redis: int  # servers or shards
    seconds: float = 3.0
    think_s: float = 4.4  # between two commands of a game: of two players, 110 commands in eight minutes


class Costs(NamedTuple):
    """In milliseconds."""

    decide: float = 0.150  # the event loop, until the command is queued for the writer
    send: float = 0.075  # the event loop, for two sockets of the game
    foreign: float = 0.040  # the event loop of the process that has the other player's socket
    batch: float = 0.270  # PostgreSQL, for a batch
    append: float = 0.0206  # PostgreSQL, for each command in it
    disk: float = 0.8  # the wait for the disk, which batches share
    publish: float = 0.010  # Redis, for a message


class SimulationResult(NamedTuple):
    commands_s: float
    p50_ms: float
    p99_ms: float
    batch: float  # commands in a batch
    busy: dict[str, float]  # share of the time, by part

    @property
    def busiest_part(self) -> str:
        return max(self.busy, key=lambda part: self.busy[part])


class Station:
    """Some servers with one queue."""

    def __init__(self, clock: "SimulatedClock", servers: int) -> None:
        self._clock, self._free, self._waiting = clock, servers, deque[tuple[float, Callable[[], None]]]()
        self.worked, self._servers = 0.0, servers

    def serve(self, ms: float, done: Callable[[], None]) -> None:
        self._waiting.append((ms, done))
        self._begin()

    def _begin(self) -> None:
        while self._free and self._waiting:
            ms, done = self._waiting.popleft()
            self._free -= 1
            self.worked += ms
            self._clock.after(ms, lambda done=done: self._end(done))  # type: ignore[misc]

    def _end(self, done: Callable[[], None]) -> None:
        self._free += 1
        done()
        self._begin()

    def busy(self, ms: float) -> float:
        return self.worked / ms / self._servers


class SimulatedClock:
    """Simulated time, in milliseconds."""

    def __init__(self) -> None:
        self.now, self._number = 0.0, 0
        self._due: list[tuple[float, int, Callable[[], None]]] = []

    def after(self, ms: float, act: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._due, (self.now + ms, self._number, act))

    def run(self, until: float) -> None:
        while self._due and self._due[0][0] <= until:
            self.now, _, act = heapq.heappop(self._due)
            act()


class Web:
    """A web process: its event loop, and its writer with the batch that waits."""

    def __init__(self, model: "Model") -> None:
        self._model, self.loop = model, Station(model.clock, 1)
        self._queued: deque[float] = deque()
        self._is_writing = False

    def command(self) -> None:
        began = self._model.clock.now
        self.loop.serve(self._model.costs.decide, lambda: self._queue(began))

    def _queue(self, began: float) -> None:
        self._queued.append(began)
        self._write()

    def _write(self) -> None:
        if self._is_writing or not self._queued:
            return
        self._is_writing = True
        batch = [self._queued.popleft() for _ in range(min(LARGEST_BATCH, len(self._queued)))]
        costs = self._model.costs
        stored = lambda: self._model.clock.after(costs.disk, lambda: self._complete(batch))  # noqa: E731
        self._model.database.serve(costs.batch + costs.append * len(batch), stored)
        self._model.batches.append(len(batch))

    def _complete(self, batch: list[float]) -> None:
        self._is_writing = False
        for began in batch:
            self.loop.serve(self._model.costs.send, lambda began=began: self._model.finish(began))  # type: ignore[misc]
        self._write()


class Model:
    def __init__(self, load: Load, costs: Costs, luck: Random) -> None:
        self.load, self.costs, self.luck, self.clock = load, costs, luck, SimulatedClock()
        self.database, self.redis = Station(self.clock, load.cores), Station(self.clock, load.redis)
        self.webs = [Web(self) for _ in range(load.webs)]
        self.batches: list[int] = []
        self.took: list[float] = []

    def arrive(self) -> None:
        self.clock.after(self.luck.expovariate(self.load.games / self.load.think_s / 1000), self.arrive)
        self.luck.choice(self.webs).command()

    def finish(self, began: float) -> None:
        """The other player has a socket at any of the processes."""
        self.took.append(self.clock.now - began)
        other = self.luck.choice(self.webs)
        self.redis.serve(self.costs.publish, lambda: other.loop.serve(self.costs.foreign, lambda: None))


def simulate(load: Load, costs: Costs = Costs(), seed: int = 1) -> SimulationResult:  # noqa: B008  (immutable)
    model = Model(load, costs, Random(seed))
    model.arrive()
    ms = 1000 * load.seconds
    model.clock.run(ms)
    took = sorted(model.took) or [float("inf")]
    loops = sum(web.loop.busy(ms) for web in model.webs) / load.webs
    busy = {"event loops": loops, "cores of PostgreSQL": model.database.busy(ms), "Redis": model.redis.busy(ms)}
    batch = sum(model.batches) / max(1, len(model.batches))
    return SimulationResult(len(took) / load.seconds, took[len(took) // 2], took[len(took) * 99 // 100], batch, busy)


def described(load: Load, outcome: SimulationResult) -> str:
    asked = load.games / load.think_s
    busy = ", ".join(f"{part} {share:.0%}" for part, share in outcome.busy.items())
    state = "" if outcome.busy[outcome.busiest_part] < BUSY else f"; {outcome.busiest_part} reach their limit first"
    return (
        f"{load.games:,} games, {load.webs} web processes, {load.cores} cores of PostgreSQL, {load.redis} of Redis: "
        f"{outcome.commands_s:,.0f} of {asked:,.0f} commands/s, p50 {outcome.p50_ms:.1f} ms, "
        f"p99 {outcome.p99_ms:.1f} ms, {outcome.batch:.1f} commands a batch; {busy}{state}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.simulate_scale", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--webs", type=int, default=4)
    parser.add_argument("--cores", type=int, default=4)
    parser.add_argument("--redis", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0)
    load = Load(**vars(parser.parse_args()))
    print(described(load, simulate(load)))


if __name__ == "__main__":
    main()
