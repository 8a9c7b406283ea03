"""The faults: each breaks one part, waits, and repairs it. One web process is always left alone."""

import asyncio
import contextlib
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable

from tests.chaos.service import FAKETIME, ChaosService, ServicePart

FROZEN_S = (2.0, 6.0)
AWAY_S = 1.3  # of a killed server
FULL_S = 7.0  # of a full disk: more than the five seconds of an outage
CLOCK_S = 4.0
MOVED_BY = ("+30", "-30", "+3600")


class Chaos:
    def __init__(self, service: ChaosService, seed: int, *, can_fill: bool) -> None:
        self.service, self.luck = service, random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.windows: list[tuple[float, float]] = []  # in which PostgreSQL could not be used
        self.faults: list[Callable[[], Awaitable[None]]] = [
            self.kill_web,
            self.freeze_web,
            self.kill_worker,
            self.freeze_worker,
            self.kill_beat,
            self.cut_web_from_postgres,
            self.kill_postgres,
            self.freeze_beat,
            self.silence_web_and_postgres,
            self.kill_redis,
            self.cut_web_from_redis,
            self.freeze_redis,
        ]
        if can_fill:
            self.faults.append(self.fill_disk)
        if FAKETIME.exists():
            self.faults.append(self.move_clock)

    @property
    def kills(self) -> int:
        return sum(number for name, number in self.counts.items() if name.startswith(("kill", "freeze")))

    async def run(self, until: float, pause_s: float) -> None:
        """Every fault once in a random order, then again, until the time of the monotonic clock."""
        while time.monotonic() < until:
            for fault in self.luck.sample(self.faults, len(self.faults)):
                if time.monotonic() > until:
                    return
                await fault()
                self.counts[fault.__name__] += 1
                await asyncio.sleep(pause_s)

    async def kill_web(self) -> None:
        web = self.luck.choice(self.service.webs)
        await web.kill()
        web.start()
        await web.is_ready()

    async def freeze_web(self) -> None:
        await self._freeze(self.luck.choice(self.service.webs))

    async def kill_worker(self) -> None:
        await self._kill(self.service.parts["worker"])

    async def freeze_worker(self) -> None:
        await self._freeze(self.service.parts["worker"])

    async def kill_beat(self) -> None:
        await self._kill(self.service.parts["beat"])

    async def freeze_beat(self) -> None:
        await self._freeze(self.service.parts["beat"])

    async def kill_postgres(self) -> None:
        async with self._without_postgres():
            await self.service.kill_server(self.service.database)
            await asyncio.sleep(AWAY_S)
            await self.service.start_server(self.service.database)

    async def kill_redis(self) -> None:
        await self.service.kill_server(self.service.redis)
        await asyncio.sleep(AWAY_S)
        await self.service.start_server(self.service.redis)

    async def freeze_redis(self) -> None:
        assert self.service.redis.process
        self.service.redis.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(self.luck.uniform(*FROZEN_S))
        self.service.redis.process.send_signal(signal.SIGCONT)

    async def cut_web_from_postgres(self) -> None:
        """Every connection, again and again."""
        line = self.luck.choice(list(self.service.lines.values()))
        for _ in range(5):
            line.cut()
            await asyncio.sleep(0.2)

    async def silence_web_and_postgres(self) -> None:
        """A network that loses everything and closes nothing."""
        line = self.luck.choice(list(self.service.lines.values()))
        line.freeze()
        await asyncio.sleep(self.luck.uniform(*FROZEN_S))
        line.thaw()

    async def cut_web_from_redis(self) -> None:
        line = self.luck.choice(list(self.service.redis_lines.values()))
        for _ in range(5):
            line.cut()
            await asyncio.sleep(0.2)

    async def fill_disk(self) -> None:
        """Appends fail when they need a new page."""
        filling = self.service.disk / "filling"
        async with self._without_postgres():
            with contextlib.suppress(OSError), filling.open("wb", buffering=0) as file:
                for size in (2**20, 4096, 1):
                    with contextlib.suppress(OSError):
                        while file.write(bytes(size)):
                            pass
            await asyncio.sleep(FULL_S)
            filling.unlink()
            if self.service.database.has_ended():  # its own log of changes had no room
                await self.service.start_server(self.service.database)

    async def move_clock(self) -> None:
        """Of the worker."""
        self.service.clock.write_text(self.luck.choice(MOVED_BY))
        await asyncio.sleep(CLOCK_S)
        self.service.clock.write_text("+0")

    async def _kill(self, part: ServicePart) -> None:
        await part.kill()
        part.start()

    async def _freeze(self, part: ServicePart) -> None:
        part.signal(signal.SIGSTOP)
        await asyncio.sleep(self.luck.uniform(*FROZEN_S))
        part.signal(signal.SIGCONT)

    @contextlib.asynccontextmanager
    async def _without_postgres(self) -> AsyncIterator[None]:
        began = time.monotonic()
        yield
        self.windows.append((began, time.monotonic()))
