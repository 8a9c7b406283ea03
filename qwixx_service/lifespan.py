"""What a web process starts before it serves, and ends in reverse order."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

from django.conf import settings

from games import clock, runtime
from games.tasks import sweeper
from players.sessions import stream_tickets
from players.sessions.directory import directory
from players.telemetry import line_writer
from qwixx_service.database import server_checks
from qwixx_service.observability import loop_lag, metrics

GC_THRESHOLD = 10_000  # new objects between two collections; Python's default is 700
# The event loop waits this long for its turn while threads of Django compute; Python has 5 ms. Under a crowd of
# 250 connections a new one was accepted after 0.8 s instead of 1.05 s.
SWITCH_INTERVAL_S = 0.0005


@asynccontextmanager
async def lifespan(application: Any) -> AsyncIterator[None]:
    await asyncio.to_thread(server_checks.check)
    async with AsyncExitStack() as stack:
        stack.callback(line_writer.lines.flush)  # uvicorn ends by a signal, so that nothing runs at exit
        stack.callback(metrics.count)
        stack.push_async_callback(application.state.readiness.close)
        stack.push_async_callback(runtime.close)
        engine = await runtime.engine()
        stack.push_async_callback(stream_tickets.redeemer.close)
        stack.push_async_callback(directory.stop)
        await directory.start(runtime.conninfo(), settings.DATABASE_DIRECT_URL)
        await runtime.start_heartbeat(clock.correct)
        if settings.WEB_SWEEPS:  # deadlines are enforced in time even when every worker has been killed
            runtime.start_background("sweeper", partial(sweeper.sweep_when_none_has_swept, engine))
        runtime.start_background("event loop lag", loop_lag.measure)
        relax_garbage_collection()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        yield


def relax_garbage_collection() -> None:
    """Modules stay loaded, and games and requests leave no cycles: collect less often, and only what is new."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 20, 20)
