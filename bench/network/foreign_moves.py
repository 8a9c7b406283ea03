"""What a web process spends on moves that another process commits, by whether it has sockets of their games."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

from bench.report import Line
from games.live import topics
from games.live.hub import Hub
from players.database.ids import uuid7
from tests.builders import BEN, CAT, GameDriver

CHANNEL = "bench of foreign moves"
MOVES = 1000
GAMES = 20
# Follows the games that its arguments name, and says how much processor time it has used when it is asked.
LISTENER = """
import asyncio, sys, time, django
django.setup()
from django.conf import settings
from games.live.hub import Hub

class Sockets:
    def deliver_commit(self, events, game): pass
    def announce(self, version): pass
    def deliver_phrase(self, phrase): pass

async def main(channel, *games):
    hub = Hub(settings.HUB_URL, channel)
    hub.start()
    for game in games:
        hub.follow_game(game, Sockets())
        await hub.hears_game(game)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while await lines.readline():
        print(time.process_time(), flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


def measure() -> list[Line]:
    return asyncio.run(_measure())


async def _measure() -> list[Line]:
    tables = [_table() for _ in range(GAMES)]
    played = {topics.of_game(table.game.id) for table in tables}
    other = _table()
    while topics.of_game(other.game.id) in played:
        other = _table()
    hub = Hub(settings.HUB_URL, CHANNEL)
    lines = []
    for what, games in (
        ("no sockets", []),
        ("sockets of another game", [other.game.id]),
        ("sockets of these games", [table.game.id for table in tables]),
    ):
        with _listener(games) as used_s:
            hub.publish(tables[0].game, tables[0].appends[-1])
            await asyncio.sleep(0.5)
            before = used_s()
            for number in range(MOVES):
                table = tables[number % GAMES]
                hub.publish(table.game, table.appends[-1])
                await hub.bridge.flush(1.0)
            spent = (used_s() - before) / MOVES * 1e6
        bar = None if "these" in what else 5.0
        lines.append(Line(f"a move made elsewhere, in a process with {what}", spent, "µs", bar, is_ceiling=True))
    await hub.stop()
    return lines


def _table() -> GameDriver:
    table = GameDriver(game_id=str(uuid7()), seats=3)
    table.join(BEN, CAT)
    return table


@contextmanager
def _listener(games: list[str]) -> Iterator[Any]:
    command = [sys.executable, "-c", LISTENER, CHANNEL, *games]
    environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:

        def used_s() -> float:
            assert process.stdin
            assert process.stdout
            process.stdin.write("\n")
            process.stdin.flush()
            return float(process.stdout.readline())

        used_s()
        yield used_s
        process.kill()
