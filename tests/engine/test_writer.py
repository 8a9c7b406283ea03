"""Group commit: what waits together goes together, and both sides are kept at work."""

import asyncio
from functools import partial

from games.log import store
from games.log.group_commit import LARGEST_BATCH, Writer
from games.metrics import counters
from tests.log.appends import creation


def batches() -> tuple[float, float]:
    """How many there were, and how many commands in them."""
    found = {sample.name: sample.value for metric in counters.BATCH_SIZE.collect() for sample in metric.samples}
    return found["qwixx_append_batch_count"], found["qwixx_append_batch_sum"]


async def stored(conninfo: str, commands: int) -> tuple[float, float]:
    writer = Writer(conninfo)
    before = batches()
    told: list[int] = []
    items = [creation() for _ in range(commands)]
    outcomes = await asyncio.gather(*(writer.append(item, lambda: told.append(1)) for item in items))
    await writer.close()
    assert set(outcomes) == {store.OK}
    assert len(told) == commands
    count, total = batches()
    return count - before[0], total - before[1]


async def test_what_waits_together_goes_in_one_batch(conninfo: str) -> None:
    assert await stored(conninfo, 9) == (1, 9)


async def test_a_batch_has_an_end(conninfo: str) -> None:
    assert await stored(conninfo, LARGEST_BATCH + 1) == (2, LARGEST_BATCH + 1)


async def test_of_many_one_half_is_in_the_database_while_the_other_decides(conninfo: str) -> None:
    """However they began: whoever is answered first is on his way again before the last has heard."""
    writer = Writer(conninfo)
    heard: list[str] = []

    async def player() -> None:
        for turn in ("first", "second"):
            await writer.append(creation(), partial(heard.append, turn))

    before = batches()
    await asyncio.gather(*(player() for _ in range(32)))
    await writer.close()
    count, total = batches()
    assert (count - before[0], total - before[1]) == (3, 64)
    assert heard == ["first"] * 32 + ["second"] * 32


async def test_no_more_than_half_of_what_is_under_way_is_stored_at_once(conninfo: str) -> None:
    """One goes alone, and 31 come while it is stored: two batches of them, so that neither side waits for all."""
    writer = Writer(conninfo)
    before = batches()
    first = writer.append(creation(), lambda: None)
    await asyncio.sleep(0)
    assert writer._under_way
    await asyncio.gather(first, *(writer.append(creation(), lambda: None) for _ in range(31)))
    await writer.close()
    count, total = batches()
    assert (count - before[0], total - before[1]) == (3, 32)
