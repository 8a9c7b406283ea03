"""The bridge between processes: publishes what this process committed to Redis in batches, and receives theirs.

A message only saves the other process a read: the log is the source, and what was missed is read from there. Messages
are signed, and what is still sealed is not in them (decision 10).
"""

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.live.messages import BridgeBatch, NotSigned, Outgoing, decode_batch, encode_batch, encode_events
from games.live.replays import ReplayFilter
from games.metrics import counters
from players.database.background import BackgroundTasks

DEFAULT_CHANNEL = "games"
TIMEOUT_S = 1.0  # of one call to Redis, and the pause before the next attempt
PING_AFTER_S = 5.0  # of silence on the subscription
FLUSH_S = 1.0  # how long a process that ends may take to publish the rest
OUTBOX_SIZE = 10_000
BATCH_SIZE = 256
BATCH_INTERVAL_S = 0.01  # a message through Redis costs as much CPU time as a move
LONE_INTERVAL_S = 0.05  # the same while no other process listens

logger = logging.getLogger(__name__)


class Bridge:
    """`deliver` (`Hub._deliver`) gets batches of other processes, `report_gap` is called when some may be missing."""

    def __init__(
        self,
        redis_url: str,
        deliver: Callable[[BridgeBatch], None],
        report_gap: Callable[[], None],
        channel: str = DEFAULT_CHANNEL,
    ) -> None:
        # Retried here every second: redis-py would wait longer after every failure.
        self._redis: Any = redis.asyncio.from_url(redis_url, socket_timeout=TIMEOUT_S, retry=Retry(NoBackoff(), 0))
        self._deliver, self._report_gap, self._channel = deliver, report_gap, channel
        self._origin, self._number = secrets.token_hex(8), 0
        self._replays = ReplayFilter()
        self._rejected: set[str] = set()  # reasons that were logged
        self._outbox: deque[Outgoing] = deque(maxlen=OUTBOX_SIZE)
        self._background = BackgroundTasks()
        self._publisher: asyncio.Task[None] | None = None
        self._is_down = False
        self._is_subscribed = False
        self._listeners = 2  # how many subscriptions received the last batch, our own among them

    def start(self) -> None:
        """Receive the batches of other processes."""
        self._background.start("redis subscription", self._subscribe)

    async def stop(self) -> None:
        await self.flush(FLUSH_S)
        await self._background.stop()
        await self._redis.aclose()

    async def flush(self, timeout_s: float) -> None:
        """Wait until all that was put has been published."""
        if self._publisher is not None and not self._publisher.done():
            await asyncio.wait([self._publisher], timeout=timeout_s)

    def put(self, outgoing: Outgoing) -> None:
        """Publish it soon; the caller does not wait. A lone process skips commits while a batch is due anyway."""
        is_news = outgoing.notifications or outgoing.changes_lobby or outgoing.phrase
        if not is_news and self._outbox and not self.has_listeners:
            return
        self._outbox.append(outgoing)
        if self._publisher is None or self._publisher.done():
            self._publisher = self._background.start("redis publisher", self._publish)

    @property
    def has_listeners(self) -> bool:
        """Whether another process received the last batch."""
        return self._listeners > self._is_subscribed

    async def _publish(self) -> None:
        """The first batch goes at once; under load the next one carries all of the following milliseconds."""
        while self._outbox:
            batch = [self._outbox.popleft() for _ in range(min(len(self._outbox), BATCH_SIZE))]
            try:
                self._listeners = await self._redis.publish(self._channel, self._encoded(batch))
            except (RedisError, OSError) as error:
                self._outbox.extendleft(reversed(batch))
                self._log_outage(error)
                await asyncio.sleep(TIMEOUT_S)
            else:
                await asyncio.sleep(BATCH_INTERVAL_S if self.has_listeners else LONE_INTERVAL_S)

    def _encoded(self, batch: list[Outgoing]) -> bytes:
        commits = [
            (each.game, each.at, each.version, encode_events(each.events))
            for each in batch
            if each.version and self.has_listeners
        ]
        notifications = [pair for each in batch for pair in each.notifications]
        lobby_changes = [each.game for each in batch if each.changes_lobby]
        phrases = [each.phrase for each in batch if each.phrase]
        self._number += 1
        head = (self._origin, self._number, time.time())
        is_partial = not self.has_listeners
        return encode_batch(BridgeBatch(*head, commits, notifications, lobby_changes, phrases, is_partial))

    async def _subscribe(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(self._channel)
                    while True:
                        await self._receive(pubsub)
            except (RedisError, OSError, TimeoutError) as error:
                self._is_subscribed = False
                self._log_outage(error)
                await asyncio.sleep(TIMEOUT_S)

    def _log_outage(self, error: Exception) -> None:
        if not self._is_down:
            self._is_down = True
            logger.warning("Redis does not answer; until it does, every process reads changes from the log: %s", error)

    async def _receive(self, pubsub: Any) -> None:
        """One message. After a silence the connection is tested: it may be lost without an error."""
        message = await pubsub.get_message(timeout=PING_AFTER_S)
        if message is None:
            await pubsub.ping()
            message = await pubsub.get_message(timeout=TIMEOUT_S)
            if message is None:
                raise TimeoutError("no answer to a ping")
        if message["type"] == "subscribe":  # at the start, and after every lost connection
            self._is_down, self._is_subscribed = False, True
            self._report_gap()
        elif message["type"] == "message":
            self._take(message["data"])

    def _take(self, data: bytes) -> None:
        try:
            batch = decode_batch(data)
        except NotSigned:
            return self._reject("signature")
        except msgspec.MsgspecError:  # perhaps of another version of the service
            return self._report_gap()
        if batch.origin == self._origin:  # local subscribers were already served; skip our own messages
            return None
        if not self._replays.is_new(batch.origin, batch.number, batch.sent_at):
            return self._reject("replay")
        if batch.is_partial:
            self._report_gap()
        return self._deliver(batch)

    def _reject(self, reason: str) -> None:
        """Counted, and logged once: a flood of messages must not become a flood of lines."""
        counters.REJECTED.labels(reason).inc()
        if reason not in self._rejected:
            self._rejected.add(reason)
            logger.warning("rejected a message through Redis (%s); is SECRET_KEY the same in all processes?", reason)
