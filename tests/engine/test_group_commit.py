"""Group commit: commands that arrive together are stored together, and completed in one order."""

import asyncio
from functools import partial
from typing import Any

import pytest

from games.log import group_commit, store
from games.log.group_commit import LARGEST_BATCH, PORTION, GroupCommit
from games.metrics import counters
from players.database import background
from tests.engine.postgres_proxy import PostgresProxy
from tests.log.appends import creation, following


def batches() -> tuple[float, float]:
    """The number of batches, and of commands in them."""
    found = {sample.name: sample.value for metric in counters.BATCH_SIZE.collect() for sample in metric.samples}
    return found["qwixx_append_batch_count"], found["qwixx_append_batch_sum"]


async def stored(conninfo: str, commands: int) -> tuple[float, float]:
    group = GroupCommit(conninfo)
    before = batches()
    published: list[int] = []
    items = [creation() for _ in range(commands)]
    outcomes = await asyncio.gather(*(group.append(item, partial(published.append, 1)) for item in items))
    await group.close()
    assert set(outcomes) == {store.OK}
    assert len(published) == commands
    count, total = batches()
    return count - before[0], total - before[1]


async def test_commands_that_arrive_together_are_one_batch(conninfo: str) -> None:
    assert await stored(conninfo, 9) == (1, 9)


async def test_a_batch_has_a_largest_size(conninfo: str) -> None:
    assert await stored(conninfo, LARGEST_BATCH + 1) == (2, LARGEST_BATCH + 1)


async def test_a_command_is_published_before_it_is_acknowledged(conninfo: str) -> None:
    was_acknowledged: list[bool] = []
    group = GroupCommit(conninfo)
    waiting: list[asyncio.Future[Any]] = []
    for number in range(3):
        publish = partial(lambda index: was_acknowledged.append(waiting[index].done()), number)
        waiting.append(group.append(creation(), publish))
    await asyncio.gather(*waiting)
    await group.close()
    assert was_acknowledged == [False] * 3


async def test_callers_get_a_turn_before_the_rest_of_a_batch_is_published(conninfo: str) -> None:
    group, told = GroupCommit(conninfo), list[str]()

    async def call(number: int) -> None:
        await group.append(creation(), lambda: told.append(f"publish {number}"))
        told.append(f"answer {number}")

    await asyncio.gather(*(call(number) for number in range(2 * PORTION)))
    await group.close()
    first, rest = [f"publish {number}" for number in range(PORTION)], told[PORTION:]
    assert told[:PORTION] == first
    assert rest[:PORTION] == [f"answer {number}" for number in range(PORTION)]


async def test_the_second_command_of_a_game_waits_for_the_next_batch(conninfo: str) -> None:
    group = GroupCommit(conninfo)
    game = creation()
    before = batches()
    outcomes = await asyncio.gather(*(group.append(item, lambda: None) for item in (game, following(game), creation())))
    await group.close()
    assert outcomes == [store.OK] * 3
    assert batches()[0] - before[0] == 2


async def test_a_failed_publication_does_not_stop_later_commands(
    conninfo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "RESTART_AFTER_S", 0.0)
    group, failed = GroupCommit(conninfo), asyncio.Event()

    def fail() -> None:
        failed.set()
        raise ValueError("not published")

    group.append(creation(), fail)
    await asyncio.wait_for(failed.wait(), 10)
    assert await asyncio.wait_for(group.append(creation(), lambda: None), 10) == store.OK
    await group.close()


async def test_a_cancelled_caller_does_not_lose_the_publication(conninfo: str) -> None:
    group = GroupCommit(conninfo)
    published = asyncio.Event()
    group.append(creation(), published.set).cancel()
    await asyncio.wait_for(published.wait(), 10)
    await group.close()


async def test_commands_queued_behind_an_unavailable_database_are_answered_with_it(
    conninfo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "STORE_S", 0.5)
    async with PostgresProxy(conninfo).listening() as proxy:
        proxy.cut_answers = 10_000
        group = GroupCommit(proxy.conninfo)
        first = group.append(creation(), lambda: None)
        await asyncio.sleep(0)
        second = group.append(creation(), lambda: None)
        assert [await first, await second] == [group_commit.UNAVAILABLE] * 2
        proxy.cut_answers = 0
        assert await group.append(creation(), lambda: None) is store.OK
        await group.close()
