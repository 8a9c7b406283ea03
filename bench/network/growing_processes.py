"""Actions over HTTP by 1, 2 and 4 web processes, processor time of an action in all of them, and the memory of each."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

import uvloop

from bench.network.http_actions import MeasuredClient, games_needed, pairs_needed
from bench.network.load import HttpConnection, Rounds, in_turn
from bench.report import Line
from games.engine.engine import Engine
from games.runtime import conninfo
from players.accounts import guests
from players.sessions.lifecycle import NewSession
from tests.server import WebProcess, running_web_process

PROCESSES = (1, 2, 4)
CLIENTS = 16
SECONDS = 3.0


class SpreadClient(MeasuredClient):
    """Its calls go to the processes in turn, as a proxy spreads them: a game is played in all of them."""

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__(addresses[0])
        parts = [urlsplit(address) for address in addresses]
        self.connections = [HttpConnection(part.hostname or "", part.port or 0) for part in parts]
        self.connection = self.connections[0]
        self._turns = cycle(self.connections)

    async def act(self) -> None:
        self.connection = next(self._turns)
        await super().act()


def measure() -> Iterator[Line]:
    for count in PROCESSES:
        players = [guests.create_guest(datetime.now(UTC)) for _ in range(2 * pairs_needed(CLIENTS))]
        with ExitStack() as stack:
            running = [stack.enter_context(running_web_process()) for _ in range(count)]
            acted, processor_s = uvloop.run(_measure(running, players))
            used = [_resident_bytes(each) / 1e6 for each in running]
        unit = f"a second, p50 {acted.p50_ms:.1f} ms, p99 {acted.p99_ms:.1f} ms"
        yield Line(f"actions over HTTP, {CLIENTS} clients, web processes: {count}", acted.per_second, unit)
        yield Line("  … processor time of all of them for an action", processor_s * 1e6, "µs")
        yield Line("  … memory of each, the largest", max(used), "MB")


async def _measure(running: list[WebProcess], players: list[NewSession]) -> tuple[Rounds, float]:
    """The rates, and the processor time of an action."""
    engine = Engine(conninfo())
    await engine.open()
    clients = [SpreadClient([each.address for each in running]) for _ in range(CLIENTS)]
    pairs = list(zip(players[::2], players[1::2], strict=True))
    games = games_needed(CLIENTS, SECONDS) // CLIENTS
    await asyncio.gather(
        *(client.make_games(engine, games, pairs[number::CLIENTS]) for number, client in enumerate(clients))
    )
    for client in clients:
        client.open()
    actions = [0]
    before = sum(map(_processor_s, running))
    [acted] = await in_turn(SECONDS, [partial(_counted, client, actions) for client in clients])
    spent = sum(map(_processor_s, running)) - before
    for connection in (connection for client in clients for connection in client.connections):
        connection.close()
    await engine.close()
    return acted, spent / actions[0]


async def _counted(client: SpreadClient, actions: list[int]) -> None:
    await client.act()
    actions[0] += 1


def _processor_s(process: WebProcess) -> float:
    """In user and system mode; the fields are counted after the name, which may contain blanks."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident_bytes(process: WebProcess) -> int:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))
