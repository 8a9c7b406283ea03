"""SQL round trips of a warm action over HTTP, with token and names, counted between the web process and PostgreSQL."""

import asyncio
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from statistics import median

from psycopg.conninfo import conninfo_to_dict

from bench.network.http_actions import MeasuredClient
from bench.report import Line
from games.engine.engine import Engine
from games.runtime import conninfo
from players.accounts import guests
from players.sessions.lifecycle import NewSession
from tests.engine.postgres_proxy import PostgresProxy
from tests.server import database_url, web_process

ACTIONS, ROUNDS = 4, 5


def measure() -> list[Line]:
    first, second = (guests.create_guest(datetime.now(UTC)) for _ in range(2))
    # The median, because the web process writes every few seconds when sessions were last used.
    return [Line("SQL round trips of a warm action", asyncio.run(_measure(first, second)), "", 1, is_ceiling=True)]


async def _measure(*pair: NewSession) -> float:
    async with PostgresProxy(conninfo()).listening() as wire, AsyncExitStack() as stack:
        server = web_process(DATABASE_URL=database_url(str(conninfo_to_dict(wire.conninfo)["host"])))
        client = MeasuredClient(server.__enter__())
        stack.push_async_callback(asyncio.to_thread, server.__exit__, None, None, None)
        stack.callback(client.connection.close)
        engine = Engine(conninfo())
        await engine.open()
        stack.push_async_callback(engine.close)
        await client.make_games(engine, 1, [(pair[0], pair[1])])
        client.open()
        costs = []
        for _ in range(1 + ROUNDS):
            before = wire.round_trips
            for _ in range(ACTIONS):
                await client.act()
            costs.append((wire.round_trips - before) / ACTIONS)
        return median(costs[1:])  # statements are prepared in the first round
