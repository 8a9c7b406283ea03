"""Group commit: what waits together goes together, in as many batches as keep both sides at work."""

import asyncio

from games import metrics, store
from games.writer import MANY, Writer
from tests.log.appends import creation


def batches() -> tuple[float, float]:
    """How many there were, and how many commands in them."""
    found = {sample.name: sample.value for metric in metrics.BATCH_SIZE.collect() for sample in metric.samples}
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


async def test_a_few_go_in_one_batch(conninfo: str) -> None:
    assert await stored(conninfo, MANY - 1) == (1, MANY - 1)


async def test_of_many_some_are_left_for_the_next_batch(conninfo: str) -> None:
    """So that it is under way while those of the first decide what they do next."""
    assert await stored(conninfo, 9) == (2, 9)
