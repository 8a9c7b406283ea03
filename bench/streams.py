"""Streams: from a commit to every socket, beside stock Channels consumers; memory of a socket; leaked sockets.

Whole moves are measured beside boardgame.io in `bench/moves.py`.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import uvloop

from bench.load import HttpConnection as Http
from bench.report import Line
from bench.sockets import Counter, Socket, connect
from games import commands
from games.commands import CommandContext
from games.engine.engine import Engine
from games.game import lobby
from games.log.rows import Caller
from games.runtime import conninfo
from players.accounts import guests
from players.database.ids import uuid7, uuid_of
from players.sessions.lifecycle import NewSession
from tests.server import web_process

SECONDS = 3.0
SLOW_CLOCK = dict.fromkeys(lobby.LIVE_CLOCK, lobby.MAX_CLOCK_S)  # no deadline passes during a measurement


class Spread(NamedTuple):
    """The results of one fan-out: the time from commit to socket, and deliveries a second."""

    p50_ms: float
    p99_ms: float
    deliveries: float


def measure(seconds: float = SECONDS) -> list[Line]:
    guest = guests.create_guest(datetime.now(UTC))
    with web_process("bench.stream_apps:ours") as ours, web_process("bench.stream_apps:stock") as stock:
        lines = uvloop.run(_measure(ours, stock, guest, seconds))
    with web_process("bench.stream_apps:ours") as ours, web_process("bench.stream_apps:stock") as stock:
        lines += uvloop.run(_on_new_processes(ours, stock, guest))
    return lines


async def _measure(ours: str, stock: str, guest: NewSession, seconds: float) -> list[Line]:
    engine = Engine(conninfo())
    await engine.open()
    games = [await _open_game(engine, guest.player.id) for _ in range(250)]
    await engine.close()
    lines: list[Line] = []
    for sockets, game_count in ((1, 1), (100, 1), (1000, 1), (1000, 250)):
        mine = await _fan_out(ours, games[:game_count], sockets, guest.token, seconds)
        theirs = await _fan_out(stock, games[:game_count], sockets, "", seconds)
        what = f"{sockets} socket{'s' * (sockets > 1)} on {game_count} game{'s' * (game_count > 1)}"
        # On many games the span from first commit to last delivery holds the commits in between, on both sides.
        lines += _compared(what, mine, theirs, is_judged=sockets > 1)
    return lines


async def _on_new_processes(ours: str, stock: str, guest: NewSession) -> list[Line]:
    """Measurements that need processes without earlier sockets."""
    engine = Engine(conninfo())
    await engine.open()
    game = await _open_game(engine, guest.player.id)
    await engine.close()
    return [
        await _memory("an idle socket above the bare server", ours, game, guest.token, 30),
        await _memory("  … of stock Channels", stock, game, "", None),
        await _leaked_sockets(ours, game, guest.token),
    ]


def _compared(what: str, mine: Spread, theirs: Spread, *, is_judged: bool) -> list[Line]:
    unit = f"ms at p99, p50 {mine.p50_ms:.2f}; stock {theirs.p99_ms:.2f}, p50 {theirs.p50_ms:.2f}"
    return [
        Line(f"commit to receive, {what}", mine.p99_ms, unit),
        Line("  … p99 to that of stock Channels", mine.p99_ms / theirs.p99_ms, "times", 0.5, is_ceiling=True),
        Line(
            "  … deliveries a second to those of stock Channels",
            mine.deliveries / theirs.deliveries,
            f"times ({mine.deliveries:,.0f} to {theirs.deliveries:,.0f})",
            4 if is_judged else None,
            8 if is_judged else None,
        ),
    ]


async def _open_game(engine: Engine, player: UUID) -> str:
    """A game in progress whose clock can be paused and resumed."""
    host, other = [CommandContext(Caller(each), datetime.now(UTC)) for each in (player, uuid7())]
    done = await commands.create(engine, lobby.Settings("qwixx", clock=SLOW_CLOCK), None, host)
    await commands.join(engine, uuid_of(done.game.id), None, None, other)
    return done.game.id


async def _fan_out(address: str, games: list[str], sockets: int, token: str, seconds: float) -> Spread:
    """One commit in every game at once, and the next when all sockets have received it."""
    counter, received = Counter(), list[tuple[int, float]]()
    seats = [number % len(games) for number in range(sockets)]
    clients = [await _listening(address, games[seat], token, counter, received, seat) for seat in seats]
    http = _http(address)
    waits: list[float] = []
    spans: list[float] = []
    gc.collect()
    gc.disable()
    until = perf_counter() + seconds
    while perf_counter() < until:
        before = counter.count
        received.clear()
        began = await http.call("POST", f"/bench/tick/{','.join(games)}")
        await counter.reaches(before + sockets)
        waits += [time - began[game] for game, time in received]
        spans.append(max(time for _, time in received) - min(began))
    gc.enable()
    http.close()
    for client in clients:
        client.transport.abort()
    waits.sort()
    deliveries = len(waits) / max(sum(spans), 1e-9)
    return Spread(waits[len(waits) // 2] * 1000, waits[int(len(waits) * 0.99)] * 1000, deliveries)


async def _listening(
    address: str, game: str, token: str, counter: Counter, received: list[tuple[int, float]], number: int
) -> Socket:
    def receive(payload: bytes) -> None:
        if payload.startswith(b'{"type":"update"'):
            received.append((number, perf_counter()))
            counter.add()

    return await connect(address, f"/ws/v1/games/{game}", token, receive)


def _http(address: str) -> Http:
    parts = urlsplit(address)
    return Http(parts.hostname or "", parts.port or 0)


async def _memory(what: str, address: str, game: str, token: str, bar: float | None) -> Line:
    """200 sockets are opened and closed before: the first use of the server's code is not measured."""
    http = _http(address)

    async def sockets(count: int) -> list[Socket]:
        return [await connect(address, f"/ws/v1/games/{game}", token, lambda _: None) for _ in range(count)]

    for socket in await sockets(200):
        socket.transport.abort()
    await asyncio.sleep(0.5)
    before = await http.call("GET", "/bench/memory")
    opened = await sockets(1000)
    await asyncio.sleep(0.5)
    after = await http.call("GET", "/bench/memory")
    for socket in opened:
        socket.transport.abort()
    http.close()
    return Line(what, (after - before) / 1000, "kB", bar, is_ceiling=True)


async def _leaked_sockets(address: str, game: str, token: str) -> Line:
    opened = [await connect(address, f"/ws/v1/games/{game}", token, lambda _: None) for _ in range(1000)]
    for socket in opened:
        socket.transport.abort()
    async with httpx.AsyncClient(base_url=address, timeout=30) as http:
        left = await _until_none(lambda: _open_sockets(http))
    return Line("sockets left after 1,000 abrupt ends", left, "", 0, is_ceiling=True)


async def _until_none(count: Callable[[], Awaitable[float]], timeout_s: float = 10.0) -> float:
    until = perf_counter() + timeout_s
    while (left := await count()) and perf_counter() < until:  # noqa: ASYNC110  (a number of another process)
        await asyncio.sleep(0.1)
    return left


async def _open_sockets(http: httpx.AsyncClient) -> float:
    lines = (await http.get("/metrics")).text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("qwixx_sockets{"))
