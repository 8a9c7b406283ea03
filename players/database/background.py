"""Supervised background tasks: every loop of a process is restarted when it fails, counted and logged."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextvars import copy_context

from prometheus_client import Counter

from players.telemetry import log_context

RESTART_AFTER_S = 1.0
RESTARTS = Counter("qwixx_background_restarts", "Background tasks that failed and were started again.", ["task"])

logger = logging.getLogger(__name__)


class BackgroundTasks:
    """The background tasks of one event loop. `start` takes a function, so that a failed task can be created again."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, name: str, run: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        """Run it until it returns or `stop` is called; when it raises, log it, wait a second and run it again."""
        context = copy_context()
        context.run(log_context.begin, task=name)  # not of the request that happens to start it
        task = asyncio.create_task(_supervise(name, run), name=name, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def stop(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _supervise(name: str, run: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            return await run()
        except Exception:
            RESTARTS.labels(name).inc()
            logger.exception("background task %s failed; it is started again in %s s", name, RESTART_AFTER_S)
        await asyncio.sleep(RESTART_AFTER_S)
