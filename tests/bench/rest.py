"""Actions and views over HTTP on one web process, beside a bare DRF view and a bare ASGI handler in the same run."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from typing import Any
from urllib.parse import urlsplit

import uvloop

from games.engine import Engine
from games.process import conninfo
from players import sessions
from players.sessions import Opened
from tests.bench.commands import new_game
from tests.bench.load import Line as Connection
from tests.bench.load import Rate, rate
from tests.bench.report import Line
from tests.server import web_process

CLIENTS = (1, 8, 32, 128)


class Table:
    """One client that plays both seats of games of its own, one after the other; they are made before it is timed.

    Its players come back, as people do, and there are so many of them that nobody meets a limit.
    """

    def __init__(self, address: str) -> None:
        host, port = urlsplit(address).hostname or "", urlsplit(address).port or 0
        self.line = Connection(host, port)
        self.tokens: dict[str, str] = {}  # of the game under way, by player
        self.waiting_games: list[tuple[str, dict[str, str]]] = []
        self.game: dict[str, Any] = {"status": "none"}

    async def make_games(self, engine: Engine, count: int, pairs: list[tuple[Opened, Opened]]) -> None:
        for pair in islice(cycle(pairs), count):
            tokens = {str(opened.player.id): opened.token for opened in pair}
            self.waiting_games.append(((await new_game(engine, *tokens)).id, tokens))

    async def open(self) -> None:
        game, self.tokens = self.waiting_games.pop()
        _, self.game = await self.line.call("GET", f"/api/v1/games/{game}", None, next(iter(self.tokens.values())))

    async def act(self) -> None:
        """Whoever is waited for rolls, or passes: the cheapest choice for the client."""
        if self.game["status"] != "playing":
            await self.open()
        turn = self.game["turn"]
        action = {"type": "roll" if turn["phase"] == "roll" else "pass"}
        player = self.game["seats"][turn["waiting_for"][0]]["player"]["id"]
        path, token = f"/api/v1/games/{self.game['id']}/actions", self.tokens[player]
        status, answer = await self.line.call("POST", path, action, token)
        assert status == 200, answer
        self.game = answer["game"]

    async def look(self) -> None:
        token = next(iter(self.tokens.values()))
        status, answer = await self.line.call("GET", f"/api/v1/games/{self.game['id']}", None, token)
        assert status == 200, answer


def measure(seconds: float = 2.0) -> list[Line]:
    players = iter([sessions.make_guest(datetime.now(UTC)) for _ in range(2 * sum(map(pairs_needed, CLIENTS)))])
    with web_process() as ours, web_process("tests.bench.rivals:application") as theirs:
        return uvloop.run(_measure(ours, theirs, players, seconds))


def games_needed(clients: int) -> int:
    return clients * (4 + 100 // clients)


def pairs_needed(clients: int) -> int:
    return clients * (1 + 12 // clients)


async def _measure(ours: str, theirs: str, players: Iterator[Opened], seconds: float) -> list[Line]:
    lines: list[Line] = []
    engine = Engine(conninfo())
    await engine.open()
    for clients in CLIENTS:
        tables = [Table(ours) for _ in range(clients)]
        for table in tables:
            pairs = [(next(players), next(players)) for _ in range(pairs_needed(clients) // clients)]
            await table.make_games(engine, games_needed(clients) // clients, pairs)
            await table.open()
        acted = await rate([table.act for table in tables], seconds)
        drf = await _rival(theirs, "POST", "/drf", clients, seconds / 2)
        bare = await _rival(theirs, "POST", "/bare", clients, seconds / 2)
        lines += _lines(clients, acted, drf, bare)
        if clients == 32:
            looked = await rate([table.look for table in tables], seconds)
            row = await _rival(theirs, "GET", f"/drf-row?id={tables[0].game['id']}", clients, seconds / 2)
            lines.append(
                Line("a view read over HTTP to a DRF view of one row", looked.per_second / row.per_second, "times", 5)
            )
        for table in tables:
            table.line.close()
    await engine.close()
    return lines


def _lines(clients: int, acted: Rate, drf: Rate, bare: Rate) -> list[Line]:
    is_judged = clients == 32
    return [
        Line(
            f"actions over HTTP, {clients} clients",
            acted.per_second,
            f"a second, p50 {acted.p50_ms:.1f} ms, p99 {acted.p99_ms:.1f} ms",
        ),
        Line("  … to a bare DRF POST of one row", acted.per_second / drf.per_second, "times", 5 if is_judged else None),
        Line(
            "  … to a bare ASGI INSERT",
            acted.per_second / bare.per_second,
            "times",
            1.0 if is_judged else None,
            2.0 if is_judged else None,
        ),
    ]


async def _rival(address: str, method: str, path: str, clients: int, seconds: float) -> Rate:
    parts = urlsplit(address)
    lines = [Connection(parts.hostname or "", parts.port or 0) for _ in range(clients)]

    async def step(line: Connection) -> None:
        body = {"type": "pass"} if method == "POST" else None
        status, answer = await line.call(method, path, body)
        assert status == 200, answer

    try:
        return await rate([partial(step, line) for line in lines], seconds)
    finally:
        for line in lines:
            line.close()
