"""After a commit: wakes whoever waits for a game, in this process at once and in the others through Redis.

What is told is only that there is more; the log is the source, and whatever was missed is read from it.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import redis.asyncio
from redis.exceptions import RedisError

from games.events import Event
from games.game import Game

CHANNEL = "games"
PATIENCE_S = 1.0  # before Redis is tried again

logger = logging.getLogger(__name__)


class Hub:
    def __init__(self, redis_url: str) -> None:
        # A subscription is idle for as long as nobody plays; redis-py would by itself give up after five seconds.
        self._redis: Any = redis.asyncio.from_url(
            redis_url, decode_responses=True, socket_timeout=None, health_check_interval=10
        )
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._outbox: asyncio.Queue[str] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._publish()), asyncio.create_task(self._listen())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    @contextlib.contextmanager
    def watching(self, game: str) -> Iterator[asyncio.Event]:
        """Set at every news of the game, from here on; whoever waits clears it before he reads."""
        news = asyncio.Event()
        self._waiting[game].add(news)
        try:
            yield news
        finally:
            self._waiting[game].discard(news)
            if not self._waiting[game]:
                del self._waiting[game]

    def told(self, game: Game, _events: tuple[Event, ...]) -> None:
        """The engine's listener: called after the commit, never waits."""
        self._wake(game.id)
        with contextlib.suppress(asyncio.QueueFull):  # Redis is away: the others read the log by themselves
            self._outbox.put_nowait(game.id)

    def _wake(self, game: str) -> None:
        for news in self._waiting.get(game, ()):
            news.set()

    async def _publish(self) -> None:
        while True:
            game = await self._outbox.get()
            try:
                await self._redis.publish(CHANNEL, game)
            except (RedisError, OSError) as error:
                logger.warning("Redis is away, other processes read the log by themselves: %s", error)
                await asyncio.sleep(PATIENCE_S)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    self._wake_all()  # whatever was missed while nobody listened is read now
                    async for message in pubsub.listen():
                        if message["type"] == "message":
                            self._wake(message["data"])
            except (RedisError, OSError) as error:
                logger.warning("Redis is away: %s", error)
                await asyncio.sleep(PATIENCE_S)

    def _wake_all(self) -> None:
        for game in self._waiting:
            self._wake(game)
