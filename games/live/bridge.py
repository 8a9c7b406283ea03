"""The bridge between processes: publishes what this process committed to Redis in batches, and receives theirs.

A message only saves the other process a read: the log is the source, and what was missed is read from there. Messages
are signed, and what is still sealed is not in them (decision 10). Each game and player has a topic (`topics.py`).
"""

import asyncio
import logging
import secrets
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable

import msgspec
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.live import topics
from games.live.messages import BridgeBatch, NotSigned, Outgoing, decode_batch, encode_batch, parts
from games.live.replays import ReplayFilter
from games.live.subscription import TIMEOUT_S, Subscription
from games.metrics import counters
from players.database.background import BackgroundTasks
from players.redis_servers.pub_sub import Publisher

DEFAULT_CHANNEL = "games"
FLUSH_S = 1.0  # how long a process that ends may take to publish the rest
OUTBOX_SIZE = 10_000
BATCH_SIZE = 256
BATCH_INTERVAL_S = 0.01  # a message through Redis costs as much CPU time as a move
LONE_INTERVAL_S = 0.05  # the same while no other process listens
LOOK_EVERY_S = 5.0  # whether other processes still listen

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
        self._redis = Publisher(redis_url, socket_timeout=TIMEOUT_S, retry=Retry(NoBackoff(), 0))
        self._deliver, self._report_gap, self._channel = deliver, report_gap, channel
        self.subscription = Subscription(self._redis.pubsub, channel, self._take, self._appear)
        self._origin, self._numbers = secrets.token_hex(8), defaultdict[str, int](int)
        self._replays = ReplayFilter()
        self._rejected: set[str] = set()  # reasons that were logged
        self._outbox: deque[Outgoing] = deque(maxlen=OUTBOX_SIZE)
        self._background = BackgroundTasks()
        self._publisher: asyncio.Task[None] | None = None
        self.has_listeners = True  # whether another process listens, as far as this one knows
        self._looked_at = float("-inf")
        self._has_skipped = False  # something that a new listener must read from the log

    def start(self) -> None:
        """Receive the batches of other processes."""
        self.subscription.start()

    async def stop(self) -> None:
        await self.flush(FLUSH_S)
        await self.subscription.stop()
        await self._background.stop()
        await self._redis.close()

    async def flush(self, timeout_s: float) -> None:
        """Wait until all that was put has been published."""
        if self._publisher is not None and not self._publisher.done():
            await asyncio.wait([self._publisher], timeout=timeout_s)

    def put(self, outgoing: Outgoing) -> None:
        """Publish it soon; the caller does not wait. While no other process listens, one message is kept, for which
        `_publish` looks for listeners, and the others are dropped."""
        if self._outbox and not self.has_listeners:
            self._has_skipped = True
            return
        self._outbox.append(outgoing)
        if self._publisher is None or self._publisher.done():
            self._publisher = self._background.start("redis publisher", self._publish)

    async def _publish(self) -> None:
        """Publish the first batch at once, and what was put during the pause after it as the next batch."""
        while self._outbox:
            batch = [self._outbox.popleft() for _ in range(min(len(self._outbox), BATCH_SIZE))]
            try:
                await self._look_for_listeners()
                if self.has_listeners:
                    await self._redis.publish(self._encoded(batch))
                else:
                    self._has_skipped = True
            except (RedisError, OSError) as error:
                self._outbox.extendleft(reversed(batch))
                self.subscription.log_outage(error)
                await asyncio.sleep(TIMEOUT_S)
            else:
                await asyncio.sleep(BATCH_INTERVAL_S if self.has_listeners else LONE_INTERVAL_S)

    async def _look_for_listeners(self) -> None:
        """Publish an empty batch to all processes: Redis returns how many received it, and `is_partial` tells them to
        read the log."""
        if self.has_listeners and time.monotonic() - self._looked_at < LOOK_EVERY_S:
            return
        empty = self._batch(topics.PROCESSES, is_partial=self._has_skipped)
        (received,) = await self._redis.publish({self._name(topics.PROCESSES): encode_batch(empty)})
        self._looked_at = time.monotonic()
        self.has_listeners = received > self.subscription.is_connected
        self._has_skipped = self._has_skipped and not self.has_listeners

    async def _appear(self) -> None:
        """The subscription is complete: read from the log what was missed, and tell the others to publish."""
        self._report_gap()
        self.has_listeners = False
        await self._look_for_listeners()

    def _encoded(self, batch: Iterable[Outgoing]) -> dict[str, bytes]:
        """One message for each topic."""
        found: dict[str, BridgeBatch] = {}
        for topic, field, item in (part for each in batch for part in parts(each)):
            if topic not in found:
                found[topic] = self._batch(topic)
            getattr(found[topic], field).append(item)
        return {self._name(topic): encode_batch(message) for topic, message in found.items()}

    def _batch(self, topic: str, *, is_partial: bool = False) -> BridgeBatch:
        self._numbers[topic] += 1
        head = (self._origin, topic, self._numbers[topic], time.time())
        return BridgeBatch(*head, is_partial=is_partial, is_listening=self.subscription.is_connected)

    def _name(self, topic: str) -> str:
        return f"{self._channel}:{topic}"

    def _take(self, topic: str, data: bytes) -> None:
        try:
            batch = decode_batch(data)
        except NotSigned:
            return self._reject("signature")
        except msgspec.MsgspecError:  # perhaps of another version of the service
            return self._report_gap()
        if batch.origin == self._origin:  # local subscribers were already served; skip our own messages
            return None
        if batch.topic != topic or not self._replays.is_new(f"{batch.origin} {topic}", batch.number, batch.sent_at):
            return self._reject("replay")
        self.has_listeners = self.has_listeners or batch.is_listening
        if batch.is_partial:
            self._report_gap()
        return self._deliver(batch)

    def _reject(self, reason: str) -> None:
        """Counted, and logged once: a flood of messages must not become a flood of lines."""
        counters.REJECTED.labels(reason).inc()
        if reason not in self._rejected:
            self._rejected.add(reason)
            logger.warning("rejected a message through Redis (%s); is SECRET_KEY the same in all processes?", reason)
