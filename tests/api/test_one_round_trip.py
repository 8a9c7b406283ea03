"""The SQL round trips of an action, token and names included."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from tests.api.client import Json, Player, table
from tests.engine.postgres_proxy import PostgresProxy
from tests.server import database_url, web_process

ACTIONS = 4


@pytest.mark.django_db(transaction=True)
async def test_a_warm_action_over_http_is_one_round_trip_in_all(conninfo: str) -> None:
    async with PostgresProxy(conninfo).listening() as wire, AsyncExitStack() as stack:
        folder = wire.conninfo.split("host=")[1].split()[0]
        server = web_process(DATABASE_URL=database_url(folder))
        address = await asyncio.to_thread(server.__enter__)
        stack.push_async_callback(asyncio.to_thread, server.__exit__, None, None, None)
        players = [await stack.enter_async_context(await Player.arrive(address, name)) for name in ("Ann", "Bob")]
        game = await table(players, clock={"roll_s": 3600, "answer_s": 3600})
        await _cost(wire, players, game)  # the first actions prepare the statements
        costs = [await _cost(wire, players, game) for _ in range(5)]
    # `last_seen_at` is written every few seconds in the background: it may fall into one of the runs.
    assert min(costs) == ACTIONS
    assert sorted(costs)[-2] == ACTIONS


async def _cost(wire: PostgresProxy, players: list[Player], game: Json) -> int:
    """Of some actions in a row; each next action is read from the last response."""
    before = wire.round_trips
    for _ in range(ACTIONS):
        turn = game["turn"]
        action = {"type": "roll" if turn["phase"] == "roll" else "pass"}
        game |= (await players[turn["waiting_for"][0]].act(game, action))["game"]
    return wire.round_trips - before
