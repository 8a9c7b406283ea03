"""What a web process has counted, for tests that wait until it has."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx


async def metric(server: str, name: str) -> int:
    async with httpx.AsyncClient() as http:
        text = (await http.get(f"{server}/metrics", timeout=20)).text
    line = next((line for line in text.splitlines() if line.startswith(name)), "none 0")
    return int(float(line.split()[-1]))


async def until(holds: Callable[[], Awaitable[Any]]) -> None:
    while not await holds():  # noqa: ASYNC110  (a number of another process)
        await asyncio.sleep(0.05)


async def has(server: str, name: str, wanted: int) -> bool:
    return await metric(server, name) == wanted
