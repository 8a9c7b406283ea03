"""Group commit: commands that arrive while a batch is being stored are the next batch, in one statement.

There is no timer: a command that arrives alone is sent at once. One connection writes; several brought no gain (0004).
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from time import perf_counter

from games.game.values import Value
from games.log import connections, store
from games.log.append_record import Append
from games.log.archive import read_through
from games.log.connections import Connection
from games.metrics import counters
from games.rules.refused import Refused
from players.database.background import BackgroundTasks

LARGEST_BATCH = 64
PORTION = 16  # commands of a batch that are completed before their callers and sockets get a turn (decision 4)
STORE_S = 7.0  # for one batch, with all attempts to reach the database
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 0.5  # between two attempts
UNAVAILABLE = store.Outcome("failed", error=Refused("unavailable"))

logger = logging.getLogger(__name__)


class Pending(Value, frozen=True):
    """A command whose outcome is not known yet."""

    item: Append
    publish: Callable[[], None]  # `Engine._publish`, called after the commit, whether or not the caller still waits
    outcome: asyncio.Future[store.Outcome]


class GroupCommit:
    """Two tasks: one stores batch after batch on one connection, the other completes what is stored meanwhile."""

    def __init__(self, conninfo: str) -> None:
        self._writer = BatchWriter(conninfo)
        self._queue: deque[Pending] = deque()
        self._stored: asyncio.Queue[tuple[list[Pending], list[store.Outcome]]] = asyncio.Queue()
        self._background = BackgroundTasks()
        self._storing: asyncio.Task[None] | None = None
        self._completing: asyncio.Task[None] | None = None

    def append(self, item: Append, publish: Callable[[], None]) -> asyncio.Future[store.Outcome]:
        """Queue a command. `_store_batches` sends it to the database, `_complete` publishes it and sets its outcome."""
        pending = Pending(item, publish, asyncio.get_running_loop().create_future())
        self._queue.append(pending)
        if self._completing is None:
            self._completing = self._background.start("completion of commits", self._complete_batches)
        if self._storing is None or self._storing.done():
            self._storing = self._background.start("group commit", self._store_batches)
        return pending.outcome

    async def close(self) -> None:
        """Store and complete what is queued, then close the connection."""
        while self._storing is not None and not self._storing.done():
            await self._storing
        await self._stored.join()
        await self._background.stop()
        await self._writer.close()

    async def _store_batches(self) -> None:
        while self._queue:
            batch, began = self._next_batch(), perf_counter()
            try:
                async with asyncio.timeout(STORE_S):
                    outcomes = await self._writer.write([pending.item for pending in batch])
            except TimeoutError:
                await self._writer.close()
                batch += self._queue  # they came later, and would wait as long again
                self._queue.clear()
                outcomes = [UNAVAILABLE] * len(batch)
            except Exception as error:  # noqa: BLE001  (each caller gets it)
                outcomes = [store.Outcome("failed", error=error)] * len(batch)
            counters.appended((outcome.status for outcome in outcomes), perf_counter() - began)
            self._stored.put_nowait((batch, outcomes))

    async def _complete_batches(self) -> None:
        while True:
            batch, outcomes = await self._stored.get()
            try:
                for start in range(0, len(batch), PORTION):
                    portion = slice(start, start + PORTION)
                    self._complete(batch[portion], outcomes[portion])
                    await asyncio.sleep(0)  # callers queue their next commands, and sockets are written to
            finally:
                self._stored.task_done()

    def _next_batch(self) -> list[Pending]:
        """At most one command per game: a second one, whose first caller was cancelled, waits for the next batch."""
        batch: dict[int, Pending] = {}
        later: list[Pending] = []
        while self._queue and len(batch) < LARGEST_BATCH:
            pending = self._queue.popleft()
            if batch.setdefault(pending.item.game.int, pending) is not pending:
                later.append(pending)
        self._queue.extendleft(reversed(later))
        return list(batch.values())

    def _complete(self, batch: list[Pending], outcomes: list[store.Outcome]) -> None:
        """The order after a commit: publish the events, then acknowledge the commands."""
        for pending, outcome in zip(batch, outcomes, strict=True):
            if outcome.status == "ok":
                pending.publish()
        for pending, outcome in zip(batch, outcomes, strict=True):
            if not pending.outcome.done():  # a cancelled caller does not wait any more
                pending.outcome.set_result(outcome)


class BatchWriter:
    """The connection that writes. It is replaced when it breaks, and the batch is sent again."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: Connection | None = None

    async def write(self, items: list[Append]) -> list[store.Outcome]:
        """Store a batch with `store.append`, once, however often the connection breaks meanwhile."""
        pause = 0.0
        while True:
            try:
                self._connection = self._connection or await connections.connect(self._conninfo)
                outcomes = await store.append(self._connection, items)
                if pause:  # an earlier attempt may have been stored
                    pairs = zip(items, outcomes, strict=True)
                    outcomes = [await _recognised(self._connection, item, outcome) for item, outcome in pairs]
                return outcomes
            except connections.LOST as error:
                logger.warning("the database is unavailable: %s", error or type(error).__name__)
                await self.close()
            pause = min(2 * pause or FIRST_PAUSE_S, LONGEST_PAUSE_S)
            await asyncio.sleep(pause)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connections.close(connection)


async def _recognised(connection: Connection, item: Append, outcome: store.Outcome) -> store.Outcome:
    """An item in conflict with its own events is stored: the connection broke between the commit and its answer."""
    winners = outcome.events
    if outcome.status == "duplicate" and outcome.receipt and outcome.receipt.game == item.game:
        winners = tuple(await read_through.events_after(read_through.using(connection), item.game, item.expected, 1))
    is_own = bool(winners) and winners[0].hash == item.events[0].hash
    return store.OK if is_own else outcome
