"""One at a time, in the order in which they came: the commands of one game in this process. Knows nothing of games."""

import asyncio
from collections import deque
from collections.abc import Hashable


class KeyedLock:
    """A lock per key that costs next to nothing where nobody else waits, and is gone when nobody does.

    `try_acquire(key) or await acquire(key)`, then `release(key)`, whatever happens in between.
    """

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[asyncio.Future[None]] | None] = {}

    def try_acquire(self, key: Hashable) -> bool:
        """Whoever finds nobody there has his turn at once."""
        if key in self._waiting:
            return False
        self._waiting[key] = None
        return True

    async def acquire(self, key: Hashable, patience_s: float | None = None) -> None:
        """TimeoutError: his turn did not come, and will not."""
        if self.try_acquire(key):
            return
        queue = self._waiting[key]
        if queue is None:
            queue = self._waiting[key] = deque()
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        queue.append(turn)
        timer = loop.call_later(patience_s, _give_up, turn) if patience_s is not None else None
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came to him and he has gone: the next one has it
                self.release(key)
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def release(self, key: Hashable) -> None:
        queue = self._waiting[key]
        while queue:
            turn = queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._waiting[key]

    def __len__(self) -> int:
        return len(self._waiting)


def _give_up(turn: "asyncio.Future[None]") -> None:
    if not turn.done():
        turn.set_exception(TimeoutError())
