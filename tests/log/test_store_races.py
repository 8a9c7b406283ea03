"""The store with many concurrent writers, in one process and in several."""

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from games.game.events import Event, first_bad_version
from games.log import store
from games.log.append_record import Append
from games.log.connections import Connection
from tests.log.appends import count, creation, following, receipt, statuses, until_waiting
from tests.log.conftest import Connect
from tests.log.writers import joined, persistent, process_of_writers

WRITERS = 8
COMMANDS = 25


async def is_sound(connection: Connection, first: Append, acknowledged: list[Event]) -> None:
    log = await store.events_after(connection, first.game, 0)
    assert first_bad_version(log) is None
    assert sorted(log, key=lambda event: event.version) == log
    assert sorted(acknowledged, key=lambda event: event.version) == log[1:], "each acknowledged fact once, and no other"


async def test_eight_writers_of_one_game_leave_one_log_without_gaps(connect: Connect) -> None:
    connections = [await connect() for _ in range(WRITERS)]
    first = creation()
    await store.append(connections[0], [first])
    writers = [persistent(connection, first, str(n), COMMANDS) for n, connection in enumerate(connections)]
    acknowledged = joined(await asyncio.gather(*writers))
    await is_sound(connections[0], first, acknowledged)


async def test_writers_in_several_processes_leave_one_log_without_gaps(conninfo: str, connection: Connection) -> None:
    first = creation()
    await store.append(connection, [first])
    with ProcessPoolExecutor(3, multiprocessing.get_context("spawn")) as pool:
        loop = asyncio.get_running_loop()
        writers = [loop.run_in_executor(pool, process_of_writers, conninfo, first, str(n), COMMANDS) for n in range(3)]
        acknowledged = joined(await asyncio.gather(*writers))
    await is_sound(connection, first, acknowledged)


async def test_the_loser_of_a_race_gets_the_events_of_the_winner(connect: Connect) -> None:
    """It waits for the winner's commit, and must see what was committed after it began."""
    winner, loser, watcher = [await connect() for _ in range(3)]
    first = creation()
    await store.append(winner, [first])
    won = following(first, count=2)
    async with winner.transaction():
        await store.append(winner, [won])
        append = asyncio.create_task(store.append(loser, [following(first, data={"lost": True}), creation()]))
        await until_waiting(watcher, loser.get_server_pid())
    outcomes = await append
    assert statuses(outcomes) == ["conflict", "ok"]
    assert outcomes[0].events == won.events


async def test_a_writer_that_waited_for_a_rolled_back_append_succeeds(connect: Connect) -> None:
    winner, waiter, watcher = [await connect() for _ in range(3)]
    first = creation()
    await store.append(winner, [first])
    transaction = winner.transaction()
    await transaction.start()
    await store.append(winner, [following(first)])
    append = asyncio.create_task(store.append(waiter, [following(first, data={"second": True})]))
    await until_waiting(watcher, waiter.get_server_pid())
    await transaction.rollback()
    assert statuses(await append) == ["ok"]


async def test_a_row_that_changed_without_a_new_version_is_updated(connect: Connect, owner: Connection) -> None:
    other, waiter, watcher = [await connect() for _ in range(3)]
    first = creation()
    await store.append(other, [first])
    item = following(first, receipt=receipt("k"))
    async with owner.transaction():
        await owner.execute("UPDATE games_game SET bots_at = now() WHERE id = $1", first.game)
        append = asyncio.create_task(store.append(waiter, [item]))
        await until_waiting(watcher, waiter.get_server_pid())
    assert statuses(await append) == ["ok"]
    loaded = await store.load(other, first.game)
    assert loaded
    assert loaded.version == 2
    assert await store.events_after(other, first.game, 1) == list(item.events)


async def test_two_concurrent_creations_with_one_key_make_one_game(connect: Connect) -> None:
    first, second, watcher = [await connect() for _ in range(3)]
    kept = receipt("create")
    winner = creation(receipt=kept)
    async with first.transaction():
        await store.append(first, [winner])
        append = asyncio.create_task(store.append(second, [creation(receipt=kept)]))
        await until_waiting(watcher, second.get_server_pid())
    (outcome,) = await append
    assert outcome.receipt == store.StoredReceipt(kept.fingerprint, winner.game, 1, 1)
    assert await count(watcher, "games_game") == 1


async def test_a_command_that_waited_for_a_refused_command_with_its_key_succeeds(connect: Connect) -> None:
    first, second, watcher = [await connect() for _ in range(3)]
    game, kept = creation(), receipt("k")
    await store.append(first, [game])
    async with first.transaction():
        assert statuses(await store.append(first, [following(following(game), receipt=kept)])) == ["conflict"]
        append = asyncio.create_task(store.append(second, [following(game, receipt=kept)]))
        await until_waiting(watcher, second.get_server_pid())
    assert statuses(await append) == ["ok"]
    assert await store.receipt(watcher, kept.player, "k") == store.StoredReceipt(kept.fingerprint, game.game, 2, 2)


async def test_many_concurrent_creations_with_one_key_make_one_game(connect: Connect) -> None:
    connections = [await connect() for _ in range(WRITERS)]
    for n in range(20):
        kept = receipt(str(n))
        outcomes = await asyncio.gather(*(store.append(c, [creation(receipt=kept)]) for c in connections))
        assert sorted(statuses([outcome for (outcome,) in outcomes])) == ["duplicate"] * (WRITERS - 1) + ["ok"]
    assert await count(connections[0], "games_game") == 20


@pytest.mark.parametrize(
    ("changes", "status"), [({"code": "K7QXM2"}, "code_taken"), ({"game": UUID(int=5)}, "conflict")]
)
async def test_of_concurrent_creations_with_one_code_or_id_one_game_is_created(
    connect: Connect, changes: dict[str, Any], status: str
) -> None:
    first, second, watcher = [await connect() for _ in range(3)]
    async with first.transaction():
        await store.append(first, [creation(**changes)])
        append = asyncio.create_task(store.append(second, [creation(**changes), creation()]))
        await until_waiting(watcher, second.get_server_pid())
    assert statuses(await append) == [status, "ok"]


class DeadlockCounter:
    """A connection that counts deadlocks: the store retries after one, so that outcomes do not show it."""

    def __init__(self, connection: Connection) -> None:
        self.deadlocks = 0
        self.fetch_from, self.is_closed = connection.fetch, connection.is_closed

    async def fetch(self, *query: Any) -> Any:
        try:
            return await self.fetch_from(*query)
        except asyncpg.DeadlockDetectedError:
            self.deadlocks += 1
            raise


async def test_batches_that_share_games_in_any_order_never_deadlock(connect: Connect) -> None:
    connections = [DeadlockCounter(await connect()) for _ in range(4)]
    games = [creation() for _ in range(16)]
    await store.append(connections[0], games)
    luck = Random(4)

    async def batches(connection: Connection) -> None:
        known = {game.game: game for game in games}
        for n in range(40):
            keys = luck.sample(sorted(known), 12)
            items = [following(known[key], receipt=receipt(f"{n}")) for key in keys]
            for item, outcome in zip(items, await store.append(connection, items), strict=True):
                assert outcome.status in ("ok", "conflict")
                known[item.game] = item if outcome.status == "ok" else item._replace(events=outcome.events)

    await asyncio.gather(*(batches(connection) for connection in connections))
    assert sum(connection.deadlocks for connection in connections) == 0
    for game in games:
        assert first_bad_version(await store.events_after(connections[0], game.game, 0)) is None
