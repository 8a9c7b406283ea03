"""Runs a check at intervals and on request, one run at a time."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable


class PeriodicCheck:
    """Requests during a run lead to one more run, which begins after the last of them."""

    def __init__(self, interval_s: float, check: Callable[[], Awaitable[None]]) -> None:
        self._interval_s, self._check = interval_s, check
        self._requested = asyncio.Event()

    def request(self) -> None:
        self._requested.set()

    async def run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._interval_s):
                    await self._requested.wait()
            self._requested.clear()
            await self._check()
