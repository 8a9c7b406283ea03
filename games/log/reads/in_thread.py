"""Runs reads of Django's ORM for callers on an event loop."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from django.db import connection

Result = TypeVar("Result")


async def read_in_thread(read: Callable[..., Result], *arguments: Any) -> Result:
    """Read in a thread, without keeping its connection: the thread belongs to a pool."""

    def run() -> Result:
        try:
            return read(*arguments)
        finally:
            connection.close()

    return await asyncio.to_thread(run)
