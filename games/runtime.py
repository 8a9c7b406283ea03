"""The engine of this process, and the one event loop it lives on: the web server's own, else a thread's.

Async callers await the engine; sync callers (Celery tasks, DRF views, management commands) call it from any thread.
Two loops would break the lock per game, so there is never a second one.
"""

import asyncio
import atexit
import logging
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import redis.asyncio
from django.conf import settings
from django.db import connections
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from games.engine.engine import Engine, Listener
from games.live.hub import Hub
from games.metrics import shared_counters
from players.database.timeouts import CONNECT_S

Result = TypeVar("Result")

LISTENERS: list[Listener] = []  # of every engine: what the doors want to be told of after a commit
TOLD_EVERY_S = 1.0

logger = logging.getLogger(__name__)


class _Here:
    """Nothing at first, and nothing again in a forked child: loops and connections do not survive a fork."""

    def __init__(self) -> None:
        self.starting = threading.Lock()
        self.engine: Engine | None = None
        self.hub: Hub | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread: threading.Thread | None = None  # where the loop runs, if it is none of a server's own
        self.kept: list[asyncio.Task[None]] = []  # what goes on until the process ends


_here = _Here()
os.register_at_fork(after_in_child=_here.__init__)  # type: ignore[misc]


def conninfo() -> str:
    """Where Django's default database is and how it is reached, in the form libpq reads; our own patience with it."""
    parameters = connections["default"].get_connection_params()
    names = {option.keyword.decode() for option in Conninfo.get_defaults()}
    known = {name: value for name, value in parameters.items() if name in names and value not in ("", None)}
    return make_conninfo(**known | {"connect_timeout": CONNECT_S})


async def engine() -> Engine:
    """For async callers: the engine, on the loop they run on; the first of them starts it."""
    running = asyncio.get_running_loop()
    if _here.engine is None:
        _here.loop, _here.engine, _here.hub = running, Engine(conninfo()), Hub(settings.REDIS_URL)
        _here.engine.listeners += [_here.hub.publish, *LISTENERS]
        if _here.thread is None:  # else it is no server, and nobody here follows anything
            _here.hub.start()
        await _here.engine.open()
    if _here.loop is not running:
        raise RuntimeError("the engine of this process lives on another event loop: use games.runtime.call")
    return _here.engine


async def hub() -> Hub:
    await engine()
    if _here.hub is None:
        raise RuntimeError("the engine of this process has been closed")
    return _here.hub


def call(command: Callable[[Engine], Coroutine[Any, Any, Result]]) -> Result:
    """For sync callers: run a command on the engine's loop and wait for it."""
    with _here.starting:
        loop = _here.loop or _loop_in_a_thread()

    async def run() -> Result:
        return await command(await engine())

    return asyncio.run_coroutine_threadsafe(run(), loop).result()


def tell_player(player_id: str, message: dict[str, Any]) -> None:
    """Say something on the `me` streams of a player, wherever they are open; `message` is JSON with a `type`.

    From anywhere: async web code, threads of DRF, Celery tasks, management commands. Never waits for Redis. Inside a
    transaction of Django's it is said after the commit, or never.
    """
    if _here.loop is not None and _running_loop() is _here.loop and _here.hub is not None:
        _here.hub.notify_players([player_id], message)
    elif connections["default"].in_atomic_block:
        connections["default"].on_commit(lambda: _tell_from_afar(player_id, message))
    else:
        _tell_from_afar(player_id, message)


def _tell_from_afar(player_id: str, message: dict[str, Any]) -> None:
    with _here.starting:
        loop = _here.loop or _loop_in_a_thread()

    async def tell() -> None:
        (await hub()).notify_players([player_id], message)

    asyncio.run_coroutine_threadsafe(tell(), loop)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


async def start_heartbeat() -> None:
    """For processes that serve: say every second that we live, from now on."""
    here = await engine()
    keep(here.outage_monitor.keep())
    keep(_tell_tallies())


def keep(work: Coroutine[Any, Any, None]) -> None:
    """Go on with it on the engine's loop, until the process ends."""
    task = asyncio.create_task(work)
    task.add_done_callback(_ended)
    _here.kept.append(task)


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception():
        logger.critical("what should go on has ended", exc_info=task.exception())


async def _tell_tallies() -> None:
    async with redis.asyncio.from_url(settings.REDIS_URL) as client:
        while True:
            await shared_counters.flush(client)
            await asyncio.sleep(TOLD_EVERY_S)


async def close() -> None:
    """When the process ends: let what is under way be stored, then hang up."""
    engine, hub, kept = _here.engine, _here.hub, _here.kept
    _here.engine = _here.hub = _here.loop = None
    _here.kept = []
    for task in kept:
        task.cancel()
    await asyncio.gather(*kept, return_exceptions=True)
    if engine is not None and hub is not None:
        await engine.close()
        await hub.stop()


def end() -> None:
    """For sync processes: `close`, and end the thread."""
    loop, thread = _here.loop, _here.thread
    if loop is None or thread is None:
        return
    _here.thread = None
    asyncio.run_coroutine_threadsafe(close(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def _loop_in_a_thread() -> asyncio.AbstractEventLoop:
    _here.loop = loop = asyncio.new_event_loop()
    _here.thread = threading.Thread(target=loop.run_forever, name="engine", daemon=True)
    _here.thread.start()
    atexit.register(end)  # what was told last must get out
    return loop
