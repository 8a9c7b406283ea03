"""Whole moves: an action on a socket, stored, and sent to the four sockets of its game; beside boardgame.io."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from itertools import chain, cycle, islice
from time import perf_counter
from typing import Any

import msgspec
import uvloop

from bench.baselines import boardgame
from bench.network.load import Rounds, in_turn
from bench.network.sockets import Counter, RawSocket, connect, encode
from bench.report import Line
from games import commands
from games.commands import CommandContext
from games.engine.engine import Engine
from games.game.aggregate import GameState
from games.game.decisions import game_settings
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


class GameOfFour:
    """One game of four players with open sockets; the first seat that the game waits for acts, in the cheapest way."""

    def __init__(self, address: str, players: list[NewSession], game: GameState) -> None:
        self.address, self.players, self.game = address, players, game
        self.sockets: list[RawSocket] = []
        self.number = 0
        self.turn: Any = None
        self.answered: set[int] = set()
        self.versions = [game.version] * SEATS
        self.acked = 0
        self._waiter: asyncio.Future[None] | None = None

    async def open(self) -> None:
        path = f"/ws/v1/games/{self.game.id}"
        self.sockets = [
            await connect(self.address, path, player.token, partial(self._receive, seat))
            for seat, player in enumerate(self._seated(self.game))
        ]
        while self.turn is None:
            await self._change()

    def _seated(self, game: GameState) -> list[NewSession]:
        by_id = {str(player.player.id): player for player in self.players}
        return [by_id[participant.player or ""] for participant in game.participants]

    def _receive(self, seat: int, payload: bytes) -> None:
        if payload.startswith(UPDATE):
            self.versions[seat] = int(payload[len(UPDATE) : payload.index(b",", len(UPDATE))])
            if seat == 0:
                self._follow(read(payload).turn)
        elif payload.startswith(STATE):
            self._follow(read_state(payload).game.turn)
        elif payload.startswith(ACK):
            self.acked = read(payload).version
        if (self.is_done() or not self.number) and self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _follow(self, turn: Any) -> None:
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
        waiting = [turn["active"]] if turn["phase"] in ("roll", "colour") else range(SEATS)
        seat = next(seat for seat in waiting if seat not in self.answered)
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

    def __init__(self, games: list[GameOfFour]) -> None:
        self.games = games
        self._remaining = iter(games)
        self._current = next(self._remaining)

    async def move(self) -> None:
        if self._current.turn is None:
            self._current = next(self._remaining)
        await self._current.move()

    def close(self) -> None:
        for game in self.games:
            game.close()


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
                [
                    await _open_games(ours, engine, players[start::count], _games_needed(count, seconds))
                    for start in range(count)
                ]
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


async def _open_games(address: str, engine: Engine, groups: list[list[NewSession]], games: int) -> GameSequence:
    """The groups take turns: a session may hold 20 open streams."""
    players = islice(cycle(groups), games)
    opened = [GameOfFour(address, group, await _new_game(engine, group)) for group in players]
    for game in opened:
        await game.open()
    return GameSequence(opened)


def _lines(count: int, mine: Rounds, rivals: dict[str, Rounds]) -> list[Line]:
    unit = f"a second, p50 {mine.p50_ms:.1f} ms, p99 {mine.p99_ms:.1f} ms"
    is_judged = count in (32, 128)
    return [
        Line(f"whole moves over sockets, {count} games of 4", mine.per_second, unit),
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


async def _new_game(engine: Engine, players: list[NewSession]) -> GameState:
    settings = game_settings.Settings("qwixx", seats=SEATS, visibility="private", clock=None)
    host, *others = [CommandContext(Caller(player.player.id), datetime.now(UTC)) for player in players]
    done = await commands.create(engine, settings, commands.NO_SEED, host)
    for context in others:
        done = await commands.join_by_code(engine, done.code, commands.NO_SEED, context)
    return done.game


async def _resumes(address: str, engine: Engine, players: list[NewSession]) -> Line:
    """A stream that has to be told of 300 events, to one that lacks 10."""
    host, other = [CommandContext(Caller(player.player.id), datetime.now(UTC)) for player in players[:2]]
    slow = dict.fromkeys(game_settings.LIVE_CLOCK, game_settings.MAX_CLOCK_S)
    done = await commands.create(engine, game_settings.Settings("qwixx", clock=slow), commands.NO_SEED, host)
    game_id = uuid_of(done.game.id)
    done = await commands.join(engine, game_id, None, commands.NO_SEED, other)
    while done.game.version < RESUMES[1] + 1:
        done = await commands.pause(engine, game_id, "a benchmark", host)
        done = await commands.resume(engine, game_id, "a benchmark", host)
    took = {}
    for missed in RESUMES:
        spans = []
        for _ in range(20):
            counter, start = Counter(), perf_counter()
            last = UPDATE + b"%d," % done.game.version

            def receive(payload: bytes, counter: Counter = counter, last: bytes = last) -> None:
                if payload.startswith(last):
                    counter.add()

            path = f"/ws/v1/games/{done.game.id}?after={done.game.version - missed}"
            socket = await connect(address, path, players[0].token, receive)
            await counter.reaches(1)
            spans.append(perf_counter() - start)
            socket.transport.abort()
        took[missed] = sorted(spans)[len(spans) // 2] * 1000
    unit = f"times as long as of 10 ({took[300]:.1f} to {took[10]:.1f} ms, with the handshake)"
    return Line("a resume of 300 events", took[300] / took[10], unit)
