"""One caller at a time, in order; a cancelled caller does not keep the lock."""

import asyncio

import pytest

from games.engine.keyed_lock import KeyedLock


async def test_callers_get_the_lock_in_the_order_of_arrival() -> None:
    locks, seen = KeyedLock(), []

    async def go(number: int) -> None:
        await locks.acquire("game")
        seen.append(("in", number))
        await asyncio.sleep(0)
        seen.append(("out", number))
        locks.release("game")

    await asyncio.gather(*(go(number) for number in range(5)))
    assert seen == [(step, number) for number in range(5) for step in ("in", "out")]
    assert len(locks) == 0


async def test_another_key_does_not_wait() -> None:
    locks = KeyedLock()
    await locks.acquire("one")
    await asyncio.wait_for(locks.acquire("other"), 5)
    assert len(locks) == 2


@pytest.mark.parametrize("has_the_lock", [False, True])
async def test_the_lock_of_a_cancelled_caller_goes_to_the_next(has_the_lock: bool) -> None:
    locks = KeyedLock()
    await locks.acquire("game")
    cancelled = asyncio.ensure_future(locks.acquire("game"))
    waiting = asyncio.ensure_future(locks.acquire("game"))
    await asyncio.sleep(0)
    if has_the_lock:
        locks.release("game")
    cancelled.cancel()
    if not has_the_lock:
        locks.release("game")
    await asyncio.wait_for(waiting, 5)
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    locks.release("game")
    assert len(locks) == 0
