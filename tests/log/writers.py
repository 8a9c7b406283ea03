"""Writers that retry until all is stored; without Django and pytest, so that other processes can run them."""

import asyncio
from collections.abc import Iterable
from itertools import chain

from games.game.events import Event
from games.log import connections, store
from games.log.append_record import Append
from games.log.connections import Connection
from tests.log.appends import following, receipt


async def persistent(connection: Connection, first: Append, name: str, commands: int) -> list[Event]:
    """A writer that retries after every conflict; the events that were acknowledged."""
    known = first
    acknowledged: list[Event] = []
    for n in range(commands):
        while True:
            item = following(known, count=1 + n % 2, data={"writer": name}, receipt=receipt(f"{name}:{n}"))
            (outcome,) = await store.append(connection, [item])
            known = item if outcome.status == "ok" else known._replace(events=outcome.events)
            if outcome.status == "ok":
                acknowledged += item.events
                break
            assert outcome.status == "conflict"
    return acknowledged


def process_of_writers(conninfo: str, first: Append, name: str, commands: int) -> list[Event]:
    """Two writers in a process of their own."""

    async def write() -> list[Event]:
        async with connections.connected(conninfo) as one, connections.connected(conninfo) as other:
            names = ((one, f"{name}a"), (other, f"{name}b"))
            return joined(await asyncio.gather(*(persistent(c, first, writer, commands) for c, writer in names)))

    return asyncio.run(write())


def joined(parts: Iterable[list[Event]]) -> list[Event]:
    return list(chain.from_iterable(parts))
