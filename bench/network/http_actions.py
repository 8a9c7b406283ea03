"""Actions and views over HTTP on one web process, beside bare DRF views and a bare ASGI handler."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from urllib.parse import urlsplit

import msgspec
import uvloop

from bench.engine.commands import new_game
from bench.network.load import HttpConnection, Rounds, in_turn
from bench.report import Line
from games.engine.engine import Engine
from games.runtime import conninfo
from players.accounts import guests
from players.sessions.lifecycle import NewSession
from tests.server import owner_database_url, web_process

CLIENTS = (1, 8, 32, 128)


class Person(msgspec.Struct):
    id: str


class ViewedSeat(msgspec.Struct):
    player: Person


class ViewedTurn(msgspec.Struct):
    phase: str
    waiting_for: list[int]


class ViewedGame(msgspec.Struct):
    """The part of a game view that the client needs."""

    id: str
    seats: list[ViewedSeat]
    turn: ViewedTurn | None


class ActionAnswer(msgspec.Struct):
    game: ViewedGame


class MeasuredClient:
    """One client that plays both seats of its own games, one game after the other.

    The games are created and read before the measurement. There are so many players that none meets a rate limit.
    """

    def __init__(self, address: str) -> None:
        self.connection = HttpConnection(*_host_and_port(address))
        self.tokens: dict[str, str] = {}  # by player of the current game
        self.waiting_games: list[tuple[ViewedGame, dict[str, str]]] = []
        self.game = ViewedGame("", [], None)

    async def make_games(self, engine: Engine, count: int, pairs: list[tuple[NewSession, NewSession]]) -> None:
        for pair in islice(cycle(pairs), count):
            tokens = {str(opened.player.id): opened.token for opened in pair}
            game = await new_game(engine, *tokens)
            for token in tokens.values():
                view = await self.connection.call("GET", f"/api/v1/games/{game.id}", None, token, ViewedGame)
            self.waiting_games.append((view, tokens))

    def open(self) -> None:
        self.game, self.tokens = self.waiting_games.pop()

    async def act(self) -> None:
        """The first seat that the game waits for rolls or passes, which needs no decision."""
        while self.game.turn is None:
            self.open()
        turn = self.game.turn
        action = {"type": "roll" if turn.phase == "roll" else "pass"}
        token = self.tokens[self.game.seats[turn.waiting_for[0]].player.id]
        acted = await self.connection.call("POST", f"/api/v1/games/{self.game.id}/actions", action, token, ActionAnswer)
        self.game = acted.game

    async def look(self) -> None:
        token = next(iter(self.tokens.values()))
        await self.connection.call("GET", f"/api/v1/games/{self.game.id}", None, token, ViewedGame)


def measure(seconds: float = 4.5) -> list[Line]:
    players = iter([guests.create_guest(datetime.now(UTC)) for _ in range(2 * sum(map(pairs_needed, CLIENTS)))])
    with web_process() as ours, _baselines() as theirs:
        return uvloop.run(_measure(ours, theirs, players, seconds))


def _baselines() -> AbstractContextManager[str]:
    return web_process("bench.baselines.http_baselines:application", DATABASE_URL=owner_database_url())


def games_needed(clients: int, seconds: float) -> int:
    return clients * (8 + round(240 * seconds) // clients)


def pairs_needed(clients: int) -> int:
    return clients * (1 + 24 // clients)


async def _measure(ours: str, theirs: str, players: Iterator[NewSession], seconds: float) -> list[Line]:
    lines: list[Line] = []
    engine = Engine(conninfo())
    await engine.open()
    for clients in CLIENTS:
        playing = [MeasuredClient(ours) for _ in range(clients)]
        for client in playing:
            pairs = [(next(players), next(players)) for _ in range(pairs_needed(clients) // clients)]
            await client.make_games(engine, games_needed(clients, seconds) // clients, pairs)
            client.open()
        baselines = [HttpConnection(*_host_and_port(theirs)) for _ in range(clients)]
        drf, bare = ([partial(_post, baseline, path) for baseline in baselines] for path in ("/drf", "/bare"))
        lines += _lines(clients, *await in_turn(seconds, [client.act for client in playing], drf, bare))
        if clients == 32:
            row = [partial(_get, baseline, f"/drf-row?id={playing[0].game.id}") for baseline in baselines]
            views, rows = await in_turn(seconds, [client.look for client in playing], row)
            ratio = views.to(rows)
            lines.append(Line("reads of a game view to a DRF view of one row", ratio, "times", 5))
        for connection in (*baselines, *[client.connection for client in playing]):
            connection.close()
    await engine.close()
    return lines


def _lines(clients: int, acted: Rounds, drf: Rounds, bare: Rounds) -> list[Line]:
    is_judged = clients == 32
    return [
        Line(
            f"actions over HTTP, {clients} clients",
            acted.per_second,
            f"a second, p50 {acted.p50_ms:.1f} ms, p99 {acted.p99_ms:.1f} ms",
        ),
        Line("  … to a bare DRF POST of one row", acted.to(drf), "times", 8 if is_judged else None),
        Line(
            "  … to a bare ASGI INSERT",
            acted.to(bare),
            "times",
            1.0 if is_judged else None,
            2.0 if is_judged else None,
        ),
    ]


async def _post(connection: HttpConnection, path: str) -> None:
    await connection.call("POST", path, {"type": "pass"})


async def _get(connection: HttpConnection, path: str) -> None:
    await connection.call("GET", path)


def _host_and_port(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    return parts.hostname or "", parts.port or 0
