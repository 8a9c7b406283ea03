"""What the limits cost an action, in processor time: requests to an empty application with and without them."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import uvloop
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from bench.network.http_actions import MeasuredClient
from bench.report import Line
from games.engine.engine import Engine
from games.runtime import conninfo
from players.accounts import guests
from players.limits.rate_limits import SPENT, Limit, Limits
from qwixx_service.http.connections.http_protocol import LimitedHttpProtocol
from qwixx_service.http.connections.socket_protocol import LimitedSocketProtocol
from qwixx_service.http.middleware.address_pacing import AddressPacing
from qwixx_service.http.middleware.body_limit import BodyLimit
from qwixx_service.http.middleware.rate_limit_headers import RateLimitHeaders
from tests.server import running_web_process

REQUESTS, ROUNDS = 1000, 25
FRAMES = 300  # in a round: fewer than a connection may send within a second
CLIENTS, ACTIONS, GAMES = 32, 150, 8  # of each client
BODY = b'{"type":"mark","row":"red","number":5,"roll":7,"phase":"white"}'
REQUEST = (
    b"POST /api/v1/games/01926f3b-1d20-7c44-8e05-5a7f9b3c2d11/actions HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"
    b"Content-Type: application/json\r\nAuthorization: Bearer qx_%b\r\nIdempotency-Key: 01926f3b\r\n"
    b"Content-Length: %d\r\n\r\n%b" % (b"a" * 43, len(BODY), BODY)
)
HANDSHAKE = (
    b"GET /ws/v1/me HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b==\r\n\r\n" % (b"A" * 22)
)
FRAME = b"\x81" + bytes([0x80 | len(BODY)]) + bytes(4) + BODY  # its mask changes nothing
limits = Limits({"actions": Limit(10**9, 10**9, "token")})  # as many as are measured


async def empty(_scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"{}"})


async def limited(scope: Scope, receive: Receive, send: Send) -> None:
    scope[SPENT] = limits.spend("actions", "session", time.monotonic())
    await empty(scope, receive, send)


class Sink(asyncio.Transport):
    """A connection whose client takes everything; it tells when a response is complete."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 50000), "sockname": ("127.0.0.1", 8000)})
        self.answered = asyncio.Event()

    def write(self, data: Any) -> None:
        if data.endswith(b"{}"):
            self.answered.set()

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def close(self) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


def requests(protocol: type[HttpToolsProtocol], app: ASGIApp) -> Callable[[], Awaitable[float]]:
    """Microseconds of processor time that a request and its response take."""
    config, sink = Config(app, lifespan="off", log_config=None, proxy_headers=False), Sink()
    config.load()
    connection = protocol(config, ServerState(), {})
    connection.connection_made(sink)

    async def run() -> float:
        began = time.process_time()
        for _ in range(REQUESTS):
            sink.answered.clear()
            connection.data_received(REQUEST)
            await sink.answered.wait()
        return (time.process_time() - began) / REQUESTS * 1e6

    return run


def frames(protocol: type[WebSocketsSansIOProtocol]) -> Callable[[], Awaitable[float]]:
    """Microseconds of processor time until the application has a frame."""
    taken = asyncio.Event()

    async def app(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            taken.set()

    config, sink = Config(app, lifespan="off", log_config=None, proxy_headers=False), Sink()
    config.load()
    connection = protocol(config, ServerState(), {})
    connection.connection_made(sink)
    connection.data_received(HANDSHAKE)

    async def run() -> float:
        if isinstance(connection, LimitedSocketProtocol):
            connection.counted = 0  # of the frames that it may get within a second
        began = time.process_time()
        for _ in range(FRAMES):
            taken.clear()
            connection.data_received(FRAME)
            await taken.wait()
        return (time.process_time() - began) / FRAMES * 1e6

    return run


def measure() -> Iterator[Line]:
    costs = uvloop.run(_in_turn())
    action = _action()
    for what, cost in costs.items():
        yield Line(what, cost, "µs of processor time")
    yield Line("an action, in the web process, 32 clients", action, "µs of processor time")
    bare, limited, *_ = costs.values()
    yield Line("limits, in an action", 100 * (limited - bare) / action, "%", 2, is_ceiling=True)


async def _in_turn() -> dict[str, float]:
    """The median of each competitor, measured in alternation."""
    with_limits = AddressPacing(BodyLimit(limited))
    competitors = {
        "a request and its response, without limits": requests(HttpToolsProtocol, empty),
        "  … with limits of connections, pace, body and rate": requests(LimitedHttpProtocol, with_limits),
        "  … and headers that tell what is left": requests(LimitedHttpProtocol, RateLimitHeaders(with_limits)),
        "a frame of a socket, without limits": frames(WebSocketsSansIOProtocol),
        "  … with limits": frames(LimitedSocketProtocol),
    }
    rounds = [[await measured() for measured in competitors.values()] for _ in range(ROUNDS)]
    return dict(zip(competitors, map(median, zip(*rounds, strict=True)), strict=True))


def _action() -> float:
    now = datetime.now(UTC)
    pairs = [(guests.create_guest(now), guests.create_guest(now)) for _ in range(CLIENTS)]
    with running_web_process() as (address, pid):
        return uvloop.run(_acted(address, pairs, pid))


async def _acted(address: str, pairs: list[Any], pid: int) -> float:
    engine, clients = Engine(conninfo()), [MeasuredClient(address) for _ in range(CLIENTS)]
    await engine.open()
    for number, client in enumerate(clients):
        await client.make_games(engine, GAMES, [pairs[number]])
        client.open()
    await engine.close()
    before = _spent_s(pid)
    await asyncio.gather(*[_play(client) for client in clients])
    for client in clients:
        client.connection.close()
    return (_spent_s(pid) - before) / (CLIENTS * ACTIONS) * 1e6


async def _play(client: MeasuredClient) -> None:
    for _ in range(ACTIONS):
        await client.act()


def _spent_s(pid: int) -> float:
    """Processor time of a process, its own and that of the system for it, where the system tells it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
