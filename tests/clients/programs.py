"""A program that uses a client, as its user starts it."""

import asyncio
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.api.client import Json, Player

TIMEOUT_S = 60
POLL_S = 5


async def plays(player: Player, game: Json) -> None:
    """A player who takes the first option until the game is over, and long polls for the next."""
    async with asyncio.timeout(TIMEOUT_S):
        while (view := await player.view(game))["status"] in ("open", "playing"):
            if view["options"] and view["your_answer"] is None:
                await player.act(game, view["options"][0])
            else:
                await player.get(f"/games/{game['id']}/events", params={"after": view["version"], "wait": POLL_S})


async def is_the_log(events: list[Json], player: Player, game: Json) -> None:
    """These are all events of a game, each once."""
    page = await player.get(f"/games/{game['id']}/events", params={"limit": 1000})
    assert [event["version"] for event in events] == list(range(1, page["version"] + 1))
    assert [event["hash"] for event in events] == [event["hash"] for event in page["results"]]


class Program:
    """Runs within the block; its output is read by line or as a whole. What it prints as an error fails the test."""

    process: asyncio.subprocess.Process

    def __init__(self, *command: str, folder: Path, server: str, **environment: str) -> None:
        self.command, self.folder = command, folder
        self.environment = {**os.environ, "QWIXX_URL": server, **environment}

    async def __aenter__(self) -> Self:
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            cwd=self.folder,
            env=self.environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.communicate()

    def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()

    async def line(self) -> str:
        assert self.process.stdout
        async with asyncio.timeout(TIMEOUT_S):
            line = (await self.process.stdout.readline()).decode()
        assert line, await self.errors()
        return line

    async def output(self) -> str:
        """All that it prints until it ends, which it does without an error."""
        async with asyncio.timeout(TIMEOUT_S):
            output, errors = await self.process.communicate()
        assert (self.process.returncode, errors.decode()) == (0, "")
        return output.decode()

    async def errors(self) -> str:
        assert self.process.stderr
        return (await self.process.stderr.read()).decode()
