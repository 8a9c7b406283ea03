"""Actions and views over HTTP on one web process, beside a bare DRF view and a bare ASGI handler in the same run."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from urllib.parse import urlsplit

import msgspec
import uvloop

from bench.commands import new_game
from bench.load import Line as Connection
from bench.load import Middle, in_turn
from bench.report import Line
from games.engine.engine import Engine
from games.runtime import conninfo
from players.accounts import guests
from players.sessions.lifecycle import NewSession
from tests.server import web_process

CLIENTS = (1, 8, 32, 128)


class Person(msgspec.Struct):
    id: str


class Seat(msgspec.Struct):
    player: Person


class Turn(msgspec.Struct):
    phase: str
    waiting_for: list[int]


class Game(msgspec.Struct):
    """As much of a view as it takes to go on."""

    id: str
    seats: list[Seat]
    turn: Turn | None


class Acted(msgspec.Struct):
    game: Game


class Table:
    """One client that plays both seats of games of its own, one after the other; they are made and looked at before it
    is timed.

    Its players come back, as people do, and there are so many of them that nobody meets a limit.
    """

    def __init__(self, address: str) -> None:
        self.line = Connection(*_host_and_port(address))
        self.tokens: dict[str, str] = {}  # of the game under way, by player
        self.waiting_games: list[tuple[Game, dict[str, str]]] = []
        self.game = Game("", [], None)

    async def make_games(self, engine: Engine, count: int, pairs: list[tuple[NewSession, NewSession]]) -> None:
        for pair in islice(cycle(pairs), count):
            tokens = {str(opened.player.id): opened.token for opened in pair}
            game = await new_game(engine, *tokens)
            for token in tokens.values():
                view = await self.line.call("GET", f"/api/v1/games/{game.id}", None, token, Game)
            self.waiting_games.append((view, tokens))

    def open(self) -> None:
        self.game, self.tokens = self.waiting_games.pop()

    async def act(self) -> None:
        """Whoever is waited for rolls, or passes: the cheapest choice for the client."""
        while self.game.turn is None:
            self.open()
        turn = self.game.turn
        action = {"type": "roll" if turn.phase == "roll" else "pass"}
        token = self.tokens[self.game.seats[turn.waiting_for[0]].player.id]
        acted = await self.line.call("POST", f"/api/v1/games/{self.game.id}/actions", action, token, Acted)
        self.game = acted.game

    async def look(self) -> None:
        token = next(iter(self.tokens.values()))
        await self.line.call("GET", f"/api/v1/games/{self.game.id}", None, token, Game)


def measure(seconds: float = 4.5) -> list[Line]:
    players = iter([guests.create_guest(datetime.now(UTC)) for _ in range(2 * sum(map(pairs_needed, CLIENTS)))])
    with web_process() as ours, web_process("bench.rivals:application") as theirs:
        return uvloop.run(_measure(ours, theirs, players, seconds))


def games_needed(clients: int, seconds: float) -> int:
    return clients * (8 + round(240 * seconds) // clients)


def pairs_needed(clients: int) -> int:
    return clients * (1 + 24 // clients)


async def _measure(ours: str, theirs: str, players: Iterator[NewSession], seconds: float) -> list[Line]:
    lines: list[Line] = []
    engine = Engine(conninfo())
    await engine.open()
    for clients in CLIENTS:
        tables = [Table(ours) for _ in range(clients)]
        for table in tables:
            pairs = [(next(players), next(players)) for _ in range(pairs_needed(clients) // clients)]
            await table.make_games(engine, games_needed(clients, seconds) // clients, pairs)
            table.open()
        rivals = [Connection(*_host_and_port(theirs)) for _ in range(clients)]
        drf, bare = ([partial(_post, line, path) for line in rivals] for path in ("/drf", "/bare"))
        lines += _lines(clients, *await in_turn(seconds, [table.act for table in tables], drf, bare))
        if clients == 32:
            row = [partial(_get, line, f"/drf-row?id={tables[0].game.id}") for line in rivals]
            looked, read = await in_turn(seconds, [table.look for table in tables], row)
            ratio = looked.to(read)
            lines.append(Line("a view read over HTTP to a DRF view of one row", ratio, "times", 5))
        for line in (*rivals, *[table.line for table in tables]):
            line.close()
    await engine.close()
    return lines


def _lines(clients: int, acted: Middle, drf: Middle, bare: Middle) -> list[Line]:
    is_judged = clients == 32
    return [
        Line(
            f"actions over HTTP, {clients} clients",
            acted.per_second,
            f"a second, p50 {acted.p50_ms:.1f} ms, p99 {acted.p99_ms:.1f} ms",
        ),
        Line("  … to a bare DRF POST of one row", acted.to(drf), "times", 5 if is_judged else None),
        Line(
            "  … to a bare ASGI INSERT",
            acted.to(bare),
            "times",
            1.0 if is_judged else None,
            2.0 if is_judged else None,
        ),
    ]


async def _post(line: Connection, path: str) -> None:
    await line.call("POST", path, {"type": "pass"})


async def _get(line: Connection, path: str) -> None:
    await line.call("GET", path)


def _host_and_port(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    return parts.hostname or "", parts.port or 0
