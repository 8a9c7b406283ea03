"""The games part of a process: its one engine and hub on its one event loop, the web server's own or a thread's.

Async callers await the engine; sync callers (Celery tasks, DRF views, management commands) use `call` from any thread.
A second loop would break the lock per game, so there is never one.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import connections
from psycopg.conninfo import make_conninfo

from games.engine.engine import Engine, Listener
from games.live.hub import Hub
from games.metrics import shared_counters
from players.database.background import BackgroundTasks
from players.database.replica import ALIAS
from players.database.timeouts import CONNECT_S
from players.redis_servers.redis_clients import close_async, connect_async

Result = TypeVar("Result")

FLUSH_COUNTERS_EVERY_S = 1.0
# What Django adds to the parameters of a connection for psycopg, and libpq does not know.
PSYCOPG_ONLY = ("context", "cursor_factory", "prepare_threshold")


class Process:
    """Empty at first, and again in a forked child: loops and connections do not survive a fork."""

    def __init__(self) -> None:
        self.starting = threading.Lock()
        self.engine: Engine | None = None
        self.hub: Hub | None = None
        self.background = BackgroundTasks()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread: threading.Thread | None = None  # runs the loop, unless a server does


_process = Process()
_listeners: list[Listener] = []
os.register_at_fork(after_in_child=_process.__init__)  # type: ignore[misc]


def configure(*, listeners: Iterable[Listener]) -> None:
    """Called once by the composition root: what every engine of this process calls after a commit, beside its hub."""
    _listeners[:] = listeners


def conninfo(alias: str = "default") -> str:
    """The address of one of Django's databases as a connection string of libpq."""
    parameters = connections[alias].get_connection_params()
    known = {name: value for name, value in parameters.items() if name not in PSYCOPG_ONLY and value not in ("", None)}
    return make_conninfo(**known | {"connect_timeout": CONNECT_S})


async def engine() -> Engine:
    """The engine, on the loop of its async callers; the first call starts it."""
    running = asyncio.get_running_loop()
    if _process.engine is None:
        await _start(running)
    if _process.loop is not running or _process.engine is None:
        raise RuntimeError("the engine of this process lives on another event loop: use games.runtime.call")
    return _process.engine


async def _start(loop: asyncio.AbstractEventLoop) -> None:
    hub = Hub(settings.HUB_URL)
    _process.loop, _process.hub = loop, hub
    sizes = settings.CONNECTIONS
    replica = conninfo(ALIAS) if ALIAS in connections.settings else ""
    _process.engine = Engine(conninfo(), [hub.publish, *_listeners], sizes.readers, sizes.claimers, replica)
    if _process.thread is None:  # a server, whose sockets follow games
        hub.start()
    await _process.engine.open()


async def hub() -> Hub:
    await engine()
    if _process.hub is None:
        raise RuntimeError("the engine of this process has been closed")
    return _process.hub


def call(command: Callable[[Engine], Coroutine[Any, Any, Result]]) -> Result:
    """For sync callers: run a command on the engine's loop and wait for its result."""

    async def run() -> Result:
        return await command(await engine())

    return asyncio.run_coroutine_threadsafe(run(), _loop()).result()


def tell_player(player_id: str, message: dict[str, Any]) -> None:
    """Send a message to the `me` streams of a player; `message` is JSON with a `type`.

    From any thread or task. Never waits for Redis. Inside a transaction of Django's it is sent after the commit.
    """
    if _process.hub is not None and _running_loop() is _process.loop:
        _process.hub.notify_players([player_id], message)
    elif connections["default"].in_atomic_block:
        connections["default"].on_commit(lambda: _tell_from_thread(player_id, message))
    else:
        _tell_from_thread(player_id, message)


def _tell_from_thread(player_id: str, message: dict[str, Any]) -> None:
    async def tell() -> None:
        (await hub()).notify_players([player_id], message)

    asyncio.run_coroutine_threadsafe(tell(), _loop())


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


async def start_heartbeat(on_beat: Callable[[float], None]) -> None:
    """For processes that serve: record every second that they are alive. `on_beat` gets the error of the clock."""
    monitor = (await engine()).outage_monitor
    start_background("heartbeat", partial(monitor.keep, on_beat))
    start_background("counters", _flush_counters)


def start_background(name: str, run: Callable[[], Awaitable[None]]) -> None:
    """Run it on the engine's loop until the process ends; when it fails it is started again."""
    _process.background.start(name, run)


async def _flush_counters() -> None:
    client = connect_async(settings.REDIS_URL)
    try:
        while True:
            await shared_counters.flush(client)
            await asyncio.sleep(FLUSH_COUNTERS_EVERY_S)
    finally:
        await close_async(client)


async def close() -> None:
    """When the process ends: store what is under way, then disconnect."""
    engine, hub = _process.engine, _process.hub
    _process.engine = _process.hub = _process.loop = None
    await _process.background.stop()
    if engine is not None and hub is not None:
        await engine.close()
        await hub.stop()


def end() -> None:
    """For sync processes: `close`, and end the thread."""
    loop, thread = _process.loop, _process.thread
    if loop is None or thread is None:
        return
    _process.thread = None
    asyncio.run_coroutine_threadsafe(close(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def _loop() -> asyncio.AbstractEventLoop:
    """The engine's loop; in a process without a server it runs in a thread of its own."""
    with _process.starting:
        if _process.loop is None:
            _process.loop = asyncio.new_event_loop()
            _process.thread = threading.Thread(target=_process.loop.run_forever, name="engine", daemon=True)
            _process.thread.start()
            atexit.register(end)  # messages that were sent last must get out
        return _process.loop
