"""Whole moves: an action on a socket, stored, and sent to the four sockets of its game; beside boardgame.io."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from time import perf_counter
from typing import Any

import msgspec
import uvloop

from bench import boardgame
from bench.load import Rounds, in_turn
from bench.report import Line
from bench.sockets import Gathered, Socket, connect, encode
from games import commands
from games.commands import CommandContext
from games.engine.engine import Engine
from games.game import lobby
from games.game.aggregate import Game
from games.log.rows import Caller
from games.runtime import conninfo
from players.accounts import guests
from players.database.ids import uuid_of
from players.sessions.lifecycle import NewSession
from tests.server import web_process

GAMES = (1, 8, 32, 128)
SEATS = 4
MOST_MOVES, SHORTEST_GAME = 12_000, 60  # a second, and in moves: so many games are prepared that none are missing
RESUMES = (10, 300)


class ShownTurn(msgspec.Struct):
    version: int = 0
    turn: Any = None


class ShownState(msgspec.Struct):
    game: ShownTurn


read, read_state = msgspec.json.Decoder(ShownTurn).decode, msgspec.json.Decoder(ShownState).decode
STATE, UPDATE, ACK = b'{"type":"state"', b'{"type":"update","version":', b'{"type":"ack"'


class PlayedGame:
    """One game of four players with open sockets; the first seat that the game waits for acts, in the cheapest way."""

    def __init__(self, address: str, players: list[NewSession], game: Game) -> None:
        self.address, self.players, self.game = address, players, game
        self.sockets: list[Socket] = []
        self.number = 0
        self.turn: Any = None
        self.answered: set[int] = set()
        self.versions = [game.version] * SEATS
        self.acked = 0
        self._waiter: asyncio.Future[None] | None = None

    async def open(self) -> None:
        path = f"/ws/v1/games/{self.game.id}"
        self.sockets = [
            await connect(self.address, path, player.token, partial(self._heard, seat))
            for seat, player in enumerate(self._seated(self.game))
        ]
        while self.turn is None:
            await self._change()

    def _seated(self, game: Game) -> list[NewSession]:
        by_id = {str(player.player.id): player for player in self.players}
        return [by_id[participant.player or ""] for participant in game.participants]

    def _heard(self, seat: int, payload: bytes) -> None:
        if payload.startswith(UPDATE):
            self.versions[seat] = int(payload[len(UPDATE) : payload.index(b",", len(UPDATE))])
            if seat == 0:
                self._asked(read(payload).turn)
        elif payload.startswith(STATE):
            self._asked(read_state(payload).game.turn)
        elif payload.startswith(ACK):
            self.acked = read(payload).version
        if (self.is_done() or not self.number) and self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _asked(self, turn: Any) -> None:
        if question(self.turn) != question(turn):
            self.answered = set()
        self.turn = turn

    def is_done(self) -> bool:
        return self.acked > 0 and min(self.versions) >= self.acked

    async def _change(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    async def move(self) -> None:
        """Returns when it is acked and all four sockets have received its update."""
        turn = self.turn
        asked = [turn["active"]] if turn["phase"] in ("roll", "colour") else range(SEATS)
        seat = next(seat for seat in asked if seat not in self.answered)
        self.answered.add(seat)
        self.number, self.acked = self.number + 1, 0
        action = {"type": "roll" if turn["phase"] == "roll" else "pass"}
        self.sockets[seat].send(encode({"type": "action", "id": f"{id(self)}-{self.number}", "action": action}))
        while not self.is_done():
            await self._change()

    def close(self) -> None:
        for socket in self.sockets:
            socket.transport.abort()


class GameSequence:
    """One game after another; all sockets are opened before anything is timed, as those of boardgame.io are."""

    def __init__(self, tables: list[PlayedGame]) -> None:
        self.tables = tables
        self._to_come = iter(tables)
        self._table = next(self._to_come)

    async def move(self) -> None:
        if self._table.turn is None:
            self._table = next(self._to_come)
        await self._table.move()

    def close(self) -> None:
        for table in self.tables:
            table.close()


def question(turn: Any) -> Any:
    return turn and (turn["number"], turn["roll"], turn["phase"])


def measure(seconds: float = 3.0) -> list[Line]:
    players = [[guests.create_guest(datetime.now(UTC)) for _ in range(SEATS)] for _ in range(max(GAMES))]
    with web_process(NUM_PROXIES="1") as ours:
        return uvloop.run(_measure(ours, players, seconds))


async def _measure(ours: str, players: list[list[NewSession]], seconds: float) -> list[Line]:
    engine = Engine(conninfo())
    await engine.open()
    lines = [await _resumes(ours, engine, players[0])]
    with boardgame.servers() as theirs:
        for count in GAMES:
            sides: list[list[Any]] = [
                [await _evening(ours, engine, each, _games_needed(count, seconds)) for each in players[:count]]
            ]
            sides += [await boardgame.matches(address, count) for address in theirs.values()]
            mine, *rivals = await in_turn(seconds, *[[each.move for each in side] for side in sides])
            for each in chain(*sides):
                each.close()
            lines += _lines(count, mine, dict(zip(theirs, rivals, strict=True)))
    await engine.close()
    return lines


def _games_needed(count: int, seconds: float) -> int:
    return 2 + round(MOST_MOVES * seconds / SHORTEST_GAME / count)


async def _evening(address: str, engine: Engine, players: list[NewSession], games: int) -> GameSequence:
    tables = [PlayedGame(address, players, await _new_game(engine, players)) for _ in range(games)]
    for table in tables:
        await table.open()
    return GameSequence(tables)


def _lines(count: int, mine: Rounds, rivals: dict[str, Rounds]) -> list[Line]:
    told = f"a second, p50 {mine.p50_ms:.1f} ms, p99 {mine.p99_ms:.1f} ms"
    is_judged = count in (32, 128)
    return [
        Line(f"whole moves over sockets, {count} games of 4", mine.per_second, told),
        *[
            Line(
                f"  … to boardgame.io on {node} (stores nothing)",
                mine.to(rival),
                f"times ({rival.per_second:,.0f}, p99 {rival.p99_ms:.1f} ms)",
                1.0 if is_judged and node == "Node 20" else None,
                1.0 if is_judged else None,
            )
            for node, rival in rivals.items()
        ],
    ]


async def _new_game(engine: Engine, players: list[NewSession]) -> Game:
    settings = lobby.Settings("qwixx", seats=SEATS, visibility="private", clock=None)
    host, *others = [CommandContext(Caller(player.player.id), datetime.now(UTC)) for player in players]
    done = await commands.create(engine, settings, None, host)
    for order in others:
        done = await commands.join_by_code(engine, done.code, None, order)
    return done.game


async def _resumes(address: str, engine: Engine, players: list[NewSession]) -> Line:
    """A stream that has to be told of 300 events, to one that lacks 10."""
    done = await commands.create(
        engine, lobby.Settings("qwixx", seats=5), None, CommandContext(Caller(players[0].player.id), datetime.now(UTC))
    )
    visitor = CommandContext(Caller(players[1].player.id), datetime.now(UTC))
    game_id = uuid_of(done.game.id)
    while done.game.version < RESUMES[1] + 1:
        done = await commands.join(engine, game_id, None, None, visitor)
        done = await commands.leave(engine, game_id, visitor)
    took = {}
    for lacking in RESUMES:
        spans = []
        for _ in range(20):
            gathered, start = Gathered(), perf_counter()
            last = UPDATE + b"%d," % done.game.version

            def hear(payload: bytes, gathered: Gathered = gathered, last: bytes = last) -> None:
                if payload.startswith(last):
                    gathered.add()

            path = f"/ws/v1/games/{done.game.id}?after={done.game.version - lacking}"
            socket = await connect(address, path, players[0].token, hear)
            await gathered.reaches(1)
            spans.append(perf_counter() - start)
            socket.transport.abort()
        took[lacking] = sorted(spans)[len(spans) // 2] * 1000
    told = f"times as long as of 10 ({took[300]:.1f} to {took[10]:.1f} ms, with the handshake)"
    return Line("a resume of 300 events", took[300] / took[10], told)
