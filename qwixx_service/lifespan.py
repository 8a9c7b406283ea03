"""What a web process starts before it serves and ends after it: on the server's own loop, in order and in reverse."""

import gc
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from django.conf import settings

from games import runtime
from games.tasks import sweeper
from players.sessions import stream_tickets
from players.sessions.directory import directory
from qwixx_service.http.asgi_types import Receive, Scope, Send
from qwixx_service.observability import metrics

GARBAGE = 10_000  # new objects between two looks; Python's own choice is 700

Hook = Callable[[], Awaitable[object]]


async def listen() -> None:
    await directory.start(runtime.conninfo())


async def settle() -> None:
    """What is loaded by now stays: the collector of garbage need not look at it with every move, nor so often at all,
    for games and requests leave no circles behind."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, 20, 20)


async def stand_in() -> None:
    """Whichever workers are killed, deadlines pass in time: who serves sweeps, too, when nobody else does."""
    if settings.WEB_SWEEPS:
        runtime.start_background("sweeper", partial(sweeper.sweep_when_none_has_swept, await runtime.engine()))


async def count() -> None:
    """Nothing of the last second is lost to whoever is asked later."""
    metrics.count()


STARTS: list[Hook] = [runtime.engine, listen, runtime.start_heartbeat, stand_in, settle]
ENDS: list[Hook] = [directory.stop, stream_tickets.gate.close, runtime.close, count]

logger = logging.getLogger(__name__)


async def lifespan(_scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    try:
        for start in STARTS:
            await start()
    except Exception:
        logger.exception("the web process cannot start")
        return await send({"type": "lifespan.startup.failed", "message": "see the log"})
    await send({"type": "lifespan.startup.complete"})
    await receive()
    for end in ENDS:
        await _ended(end)
    return await send({"type": "lifespan.shutdown.complete"})


async def _ended(end: Hook) -> None:
    """One that fails must not keep the others from ending."""
    try:
        await end()
    except Exception:
        logger.exception("the web process does not end well")
