"""Streams: from a commit to every socket, beside stock Channels consumers; memory of a socket; sockets left over.

Whole moves are measured beside boardgame.io in `bench/network/moves.py`.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import cycle, islice
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import uvloop

from bench.network.load import HttpConnection as Http
from bench.network.sockets import Counter, RawSocket, connect
from bench.report import Line
from games import commands
from games.commands import CommandContext
from games.engine.engine import Engine
from games.game.decisions import game_settings
from games.log.rows import Caller
from games.runtime import conninfo
from players.accounts import guests
from players.database.ids import uuid_of
from players.sessions.lifecycle import NewSession
from tests.server import owner_database_url, web_process

SECONDS = 3.0
SESSIONS = 50  # enough for 1,000 sockets


class Spread(NamedTuple):
    """One way to fan out: how long it takes to each socket, and how many sockets a second hear of it."""

    p50_ms: float
    p99_ms: float
    deliveries: float


def measure(seconds: float = SECONDS) -> list[Line]:
    sessions = [guests.create_guest(datetime.now(UTC)) for _ in range(SESSIONS)]
    with _service() as ours, _stock() as stock:
        lines = uvloop.run(_measure(ours, stock, sessions, seconds))
    with _service() as ours, _stock() as stock:
        lines += uvloop.run(_fresh(ours, stock, sessions))
    return lines


def _service() -> AbstractContextManager[str]:
    return web_process("bench.baselines.stream_apps:ours", NUM_PROXIES="1")


def _stock() -> AbstractContextManager[str]:
    return web_process("bench.baselines.stream_apps:stock", DATABASE_URL=owner_database_url())


async def _measure(ours: str, stock: str, sessions: list[NewSession], seconds: float) -> list[Line]:
    engine = Engine(conninfo())
    await engine.open()
    tokens = [session.token for session in sessions]
    players = [session.player.id for session in sessions[:2]]
    games = [await _started_game(engine, players) for _ in range(250)]
    await engine.close()
    lines: list[Line] = []
    for sockets, tables in ((1, 1), (100, 1), (1000, 1), (1000, 250)):
        mine = await _fan_out(ours, games[:tables], sockets, tokens, seconds)
        theirs = await _fan_out(stock, games[:tables], sockets, [""], seconds)
        what = f"{sockets} socket{'s' * (sockets > 1)} on {tables} game{'s' * (tables > 1)}"
        # On many games the span from first commit to last delivery holds the commits in between, on both sides.
        lines += _compared(what, mine, theirs, is_judged=sockets > 1)
    return lines


async def _fresh(ours: str, stock: str, sessions: list[NewSession]) -> list[Line]:
    """Measurements that need processes which have held no sockets before."""
    players = [session.player.id for session in sessions[:2]]
    engine = Engine(conninfo())
    await engine.open()
    game = await _started_game(engine, players)
    await engine.close()
    tokens = [session.token for session in sessions]
    return [
        await _memory("an idle socket above the bare server", ours, game, tokens, 30),
        await _memory("  … of stock Channels", stock, game, [""], None),
        await _ghosts(ours, game, tokens),
    ]


def _compared(what: str, mine: Spread, theirs: Spread, *, is_judged: bool) -> list[Line]:
    told = f"ms at p99, p50 {mine.p50_ms:.2f}; stock {theirs.p99_ms:.2f}, p50 {theirs.p50_ms:.2f}"
    return [
        Line(f"commit to receive, {what}", mine.p99_ms, told),
        Line("  … p99 to that of stock Channels", mine.p99_ms / theirs.p99_ms, "times", 0.5, is_ceiling=True),
        Line(
            "  … deliveries a second to those of stock Channels",
            mine.deliveries / theirs.deliveries,
            f"times ({mine.deliveries:,.0f} to {theirs.deliveries:,.0f})",
            4 if is_judged else None,
            8 if is_judged else None,
        ),
    ]


async def _started_game(engine: Engine, players: Sequence[UUID]) -> str:
    """A game in progress whose deadlines are weeks away."""
    host, guest = [CommandContext(Caller(player), datetime.now(UTC)) for player in players]
    slow = dict.fromkeys(game_settings.LIVE_CLOCK, game_settings.MAX_CLOCK_S)
    done = await commands.create(engine, game_settings.Settings("qwixx", seats=2, clock=slow), commands.NO_SEED, host)
    return (await commands.join(engine, uuid_of(done.game.id), None, commands.NO_SEED, guest)).game.id


async def _fan_out(address: str, games: list[str], sockets: int, tokens: list[str], seconds: float) -> Spread:
    """Commit in all games at once; commit again when all their sockets have received the updates."""
    counter, received = Counter(), list[tuple[int, float]]()
    seats = [number % len(games) for number in range(sockets)]
    lines = [
        await _listening(address, games[seat], token, counter, received, seat)
        for seat, token in zip(seats, cycle(tokens), strict=False)
    ]
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
    for line in lines:
        line.transport.abort()
    waits.sort()
    deliveries = len(waits) / max(sum(spans), 1e-9)
    return Spread(waits[len(waits) // 2] * 1000, waits[int(len(waits) * 0.99)] * 1000, deliveries)


async def _listening(
    address: str, game: str, token: str, counter: Counter, received: list[tuple[int, float]], number: int
) -> RawSocket:
    def hear(payload: bytes) -> None:
        if payload.startswith(b'{"type":"update"'):
            received.append((number, perf_counter()))
            counter.add()

    return await connect(address, f"/ws/v1/games/{game}", token, hear)


def _http(address: str) -> Http:
    parts = urlsplit(address)
    return Http(parts.hostname or "", parts.port or 0)


async def _memory(what: str, address: str, game: str, tokens: list[str], bar: float | None) -> Line:
    """Memory of an idle socket. 200 sockets come and go first, so that what is allocated once is not counted."""
    http = _http(address)

    async def sockets(count: int) -> list[RawSocket]:
        return await _idle(address, game, tokens, count)

    for line in await sockets(200):
        line.transport.abort()
    await asyncio.sleep(0.5)
    before = await http.call("GET", "/bench/memory")
    lines = await sockets(1000)
    await asyncio.sleep(0.5)
    after = await http.call("GET", "/bench/memory")
    for line in lines:
        line.transport.abort()
    http.close()
    return Line(what, (after - before) / 1000, "kB", bar, is_ceiling=True)


async def _idle(address: str, game: str, tokens: list[str], count: int) -> list[RawSocket]:
    path = f"/ws/v1/games/{game}"
    return [await connect(address, path, token, lambda _: None) for token in islice(cycle(tokens), count)]


async def _ghosts(address: str, game: str, tokens: list[str]) -> Line:
    lines = await _idle(address, game, tokens, 1000)
    for line in lines:
        line.transport.abort()
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
