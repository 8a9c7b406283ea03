"""A lock per key: the commands of one game run one at a time, in the order of their arrival."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class KeyedLock:
    """Without contention it costs one entry in a dictionary; a key that is not locked has no entry."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[asyncio.Future[None]] | None] = {}

    @asynccontextmanager
    async def holding(self, key: Hashable) -> AsyncIterator[None]:
        await self.acquire(key)
        try:
            yield
        finally:
            self.release(key)

    async def acquire(self, key: Hashable) -> None:
        """Yields to the event loop only if the key is locked."""
        if key not in self._waiting:
            self._waiting[key] = None
            return
        queue = self._waiting[key]
        if queue is None:
            queue = self._waiting[key] = deque()
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the lock was handed to a caller that is gone
                self.release(key)
            raise

    def release(self, key: Hashable) -> None:
        """Hand the lock to the caller that has waited longest."""
        queue = self._waiting[key]
        while queue:
            turn = queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._waiting[key]

    def __len__(self) -> int:
        return len(self._waiting)
