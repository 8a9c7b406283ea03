"""What this process receives from Redis: the topics that it follows, on one connection that is replaced when lost."""

import asyncio
import contextlib
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable

from redis.exceptions import RedisError

from games.live.topics import PROCESSES
from players.database.background import BackgroundTasks
from players.redis_servers.pub_sub import PubSub

TIMEOUT_S = 1.0  # of one call to Redis, and the pause before the next attempt
PING_AFTER_S = 5.0  # of silence
READY_S = 0.5  # how long a new socket waits for its topic; after it, the check for missed messages has to help
LINGER_S = 30.0  # a topic that no socket needs is kept, because polls come and go

logger = logging.getLogger(__name__)


class Subscription:
    """`take` gets a topic and a message. `on_connect` is called when every followed topic is subscribed again."""

    def __init__(
        self,
        connect: Callable[[], PubSub],
        prefix: str,
        take: Callable[[str, bytes], None],
        on_connect: Callable[[], Awaitable[None]],
    ) -> None:
        self._connect, self._prefix, self._take, self._on_connect = connect, f"{prefix}:", take, on_connect
        self._uses: Counter[str] = Counter({PROCESSES: 1})
        self._idle: dict[str, float] = {}  # since when topics have not been needed
        self._confirmed: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._pubsub: PubSub | None = None
        self._background = BackgroundTasks()
        self._is_started = False
        self.is_down = False
        self.is_connected = False

    def start(self) -> None:
        self._is_started = True
        self._background.start("redis subscription", self._run)

    async def stop(self) -> None:
        await self._background.stop()

    def follow(self, topic: str) -> None:
        """Receive a topic until `unfollow` was called as often."""
        self._uses[topic] += 1
        self._idle.pop(topic, None)
        if self._pubsub is not None and self._uses[topic] == 1 and not self._confirmed[topic].is_set():
            pubsub = self._pubsub
            self._background.start("redis topic", lambda: self._subscribe(pubsub, topic))

    def unfollow(self, topic: str) -> None:
        self._uses[topic] -= 1
        if not self._uses[topic]:
            del self._uses[topic]
            self._idle[topic] = time.monotonic()

    async def ready(self, topic: str) -> None:
        """Wait until messages of a followed topic arrive: what is read from the database after it misses none."""
        if self._is_started and not self.is_down:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(READY_S):
                    await self._confirmed[topic].wait()

    def log_outage(self, error: Exception) -> None:
        if not self.is_down:
            self.is_down = True
            logger.warning("Redis does not answer; until it does, every process reads changes from the log: %s", error)

    async def _subscribe(self, pubsub: PubSub, topic: str) -> None:
        with contextlib.suppress(RedisError, OSError):  # seen by `_run`, too, which connects again
            await pubsub.subscribe(self._prefix + topic)

    async def _run(self) -> None:
        while True:
            pubsub = self._connect()
            try:
                # The topic of processes comes last: when it is confirmed, all are.
                topics = [topic for topic in self._uses if topic != PROCESSES]
                await pubsub.subscribe(*(self._prefix + topic for topic in (*topics, PROCESSES)))
                self._pubsub = pubsub
                while True:
                    await self._receive(pubsub)
            except (RedisError, OSError, TimeoutError) as error:
                self.log_outage(error)
            finally:
                self._pubsub, self.is_connected = None, False
                self._confirmed.clear()
                self._idle.clear()
                with contextlib.suppress(RedisError, OSError):
                    await pubsub.close()
            await asyncio.sleep(TIMEOUT_S)

    async def _receive(self, pubsub: PubSub) -> None:
        """One message. After a silence the connection is tested: it may be lost without an error."""
        message = await pubsub.message(PING_AFTER_S)
        if message is None:
            await pubsub.ping()
            message = await pubsub.message(TIMEOUT_S)
            if message is None:
                raise TimeoutError("no answer to a ping")
        await self._drop_idle(pubsub)
        kind, topic, data = message
        if kind.endswith("message"):
            self._take(topic.removeprefix(self._prefix), data)
        elif kind.endswith("subscribe") and "un" not in kind:
            await self._confirm(topic.removeprefix(self._prefix))

    async def _confirm(self, topic: str) -> None:
        self._confirmed[topic].set()
        if topic == PROCESSES:
            self.is_down, self.is_connected = False, True
            await self._on_connect()

    async def _drop_idle(self, pubsub: PubSub) -> None:
        while self._idle:
            topic, since = next(iter(self._idle.items()))
            if time.monotonic() - since < LINGER_S:
                return
            del self._idle[topic]
            self._confirmed.pop(topic, None)
            await pubsub.unsubscribe(self._prefix + topic)
