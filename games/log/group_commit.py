"""Group commit: what waits together is stored together. Owns the one connection that writes; decides nothing.

There is no timer: a command that is alone goes at once, and those that arrive while a batch is under way are the next.
Several connections were tried, four times, and brought nothing that could be measured.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Any

import psycopg
from psycopg import AsyncConnection

from games.game.values import Value
from games.log import store
from games.log.append import Append
from games.metrics import counters
from games.rules.refused import Refused

LARGEST_BATCH = 64
TOLD_AT_ONCE = 16  # so that the first of a batch need not wait for the last
FEW = 4  # that are told at once in any case
OUTCOME_S = 8.0  # how long a caller waits to hear what became of his command
PAUSES_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)  # between tries while the database is away

logger = logging.getLogger(__name__)


class Waiting(Value, frozen=True):
    item: Append
    on_commit: Callable[[], None]  # called even if nobody waits for the outcome any more
    outcome: asyncio.Future[store.Outcome]
    until: float  # by the loop's clock

    def give_up(self) -> None:
        """Nobody knows what becomes of it. It is safe to ask again with the same key: what is stored meanwhile, be it
        much later, has the key's receipt, and whatever comes second finds that the log has moved on."""
        if not self.outcome.done():
            self.outcome.set_result(store.Outcome("failed", error=Refused("unavailable")))

    def is_given_up(self) -> bool:
        return self.outcome.done() and not self.outcome.cancelled()


class Writer:
    def __init__(self, conninfo: str) -> None:
        self._line = Line(conninfo)
        self._queue: deque[Waiting] = deque()
        self._under_way: list[Waiting] = []
        self._stored: deque[tuple[Waiting, store.Outcome]] = deque()  # and not told yet
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def append(self, item: Append, on_commit: Callable[[], None]) -> asyncio.Future[store.Outcome]:
        if self._loop is None:  # of all its life: asking which it is costs a call of the system
            self._loop = asyncio.get_running_loop()
        outcome: asyncio.Future[store.Outcome] = self._loop.create_future()
        self._queue.append(Waiting(item, on_commit, outcome, self._loop.time() + OUTCOME_S))
        if self._task is None:
            self._task = self._loop.create_task(self._run())
        return outcome

    async def close(self) -> None:
        if self._task is not None:
            await self._task
        while self._stored:
            self._tell()
        await self._line.hang_up()

    async def _run(self) -> None:
        self._watch(OUTCOME_S)
        try:
            while self._queue:
                self._under_way = self._next_batch()
                if self._under_way:
                    await self._store(self._under_way)
        finally:
            self._timer.cancel()
            self._under_way, self._task = [], None

    def _watch(self, seconds: float) -> None:
        """One timer for all who wait: it costs nothing while the database answers."""
        self._timer = asyncio.get_running_loop().call_later(seconds, self._let_go)

    def _let_go(self) -> None:
        """Whoever has waited too long is told so."""
        now = asyncio.get_running_loop().time()
        waiting = [each for each in (*self._under_way, *self._queue) if not each.outcome.done()]
        for each in waiting:
            if each.until <= now:
                each.give_up()
        self._watch(max(0.01, min([each.until for each in waiting if each.until > now], default=now + OUTCOME_S) - now))

    async def _store(self, batch: list[Waiting]) -> None:
        """Who waits is told a little later, while the database works on the next batch already."""
        began = perf_counter()
        try:
            outcomes = await self._line.append([waiting.item for waiting in batch])
        except Exception as error:  # noqa: BLE001  (whatever it is, those who wait must hear of it)
            outcomes = [store.Outcome("failed", error=error)] * len(batch)
        counters.appended((outcome.status for outcome in outcomes), perf_counter() - began)
        if len(batch) >= FEW:
            await asyncio.sleep(0)  # whoever has knocked meanwhile is let in first, and comes along
        if not self._stored:
            asyncio.get_running_loop().call_soon(self._tell)
        self._stored.extend(zip(batch, outcomes, strict=True))

    def _tell(self) -> None:
        """Where the database has nothing to do, a half: they are at work on what comes next while the others are told,
        and from then on there are two groups, one in the database and one that decides."""
        count = TOLD_AT_ONCE if self._task is not None else max(FEW, (len(self._stored) + 1) // 2)
        some = [self._stored.popleft() for _ in range(min(count, len(self._stored)))]
        for waiting, outcome in some:
            if not waiting.outcome.done():  # a caller that was cancelled waits no more
                waiting.outcome.set_result(outcome)
        # Callers go on when all of this is told, and before the loop writes to sockets (`http.sockets`): an
        # ack and the events it is about leave in one piece.
        for waiting, outcome in some:
            if outcome.status == "ok":
                waiting.on_commit()
        if self._stored:
            asyncio.get_running_loop().call_soon(self._tell)

    def _next_batch(self) -> list[Waiting]:
        """At most one command a game: the second of a game whose first caller was cancelled has to wait its turn. And
        no more than half of those that are under way: what the database works on and what it leaves to be told and
        decided should take about as long, or one side waits for the other."""
        batch: dict[int, Waiting] = {}  # by the number that an id is: it is found fastest
        later: list[Waiting] = []
        most = LARGEST_BATCH
        if self._stored:
            most = min(most, max(FEW, (len(self._queue) + len(self._stored) + 1) // 2))
        while self._queue and len(batch) < most:
            waiting = self._queue.popleft()
            if waiting.is_given_up():  # told that it was not done, before it was
                continue
            if waiting.item.game.int in batch:
                later.append(waiting)
            else:
                batch[waiting.item.game.int] = waiting
        self._queue.extendleft(reversed(later))
        return list(batch.values())


class Line:
    """One connection, and what is done when it breaks."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: AsyncConnection[Any] | None = None

    async def append(self, items: list[Append]) -> list[store.Outcome]:
        """Store a batch, however often the connection breaks. What a broken one had stored already is recognised."""
        for pause in (*PAUSES_S, None):
            try:
                self._connection = self._connection or await store.connect(self._conninfo)
                outcomes = await store.append(self._connection, items)
                return [
                    outcome if outcome is store.OK else await self._recognised(item, outcome)
                    for item, outcome in zip(items, outcomes, strict=True)
                ]
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                logger.warning("the database is away: %s", error)
                await self.hang_up()
                if pause is not None:
                    await asyncio.sleep(pause)
        raise Refused("unavailable")

    async def hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _recognised(self, item: Append, outcome: store.Outcome) -> store.Outcome:
        """An item that lost to itself is stored: its connection broke after the commit, before the answer."""
        winners = outcome.events
        if outcome.status == "duplicate" and outcome.receipt and outcome.receipt.game == item.game and self._connection:
            winners = tuple(await store.events_after(self._connection, item.game, item.expected, 1))
        is_own = bool(winners) and winners[0].hash == item.events[0].hash
        return store.OK if is_own else outcome
