"""One at a time, in order, and nobody who goes away takes the turn with him."""

import asyncio

import pytest

from games.engine.keyed_lock import KeyedLock


async def test_they_go_one_after_the_other_in_the_order_in_which_they_came() -> None:
    turns, seen = KeyedLock(), []

    async def go(number: int) -> None:
        await turns.acquire("game")
        seen.append(("in", number))
        await asyncio.sleep(0)
        seen.append(("out", number))
        turns.release("game")

    await asyncio.gather(*(go(number) for number in range(5)))
    assert seen == [(step, number) for number in range(5) for step in ("in", "out")]
    assert len(turns) == 0


async def test_other_keys_do_not_wait() -> None:
    turns = KeyedLock()
    await turns.acquire("one")
    await asyncio.wait_for(turns.acquire("other"), 5)
    assert len(turns) == 2


@pytest.mark.parametrize("has_been_called", [False, True])
async def test_the_turn_of_one_who_went_away_goes_to_the_next(has_been_called: bool) -> None:
    turns = KeyedLock()
    await turns.acquire("game")
    goes = asyncio.ensure_future(turns.acquire("game"))
    stays = asyncio.ensure_future(turns.acquire("game"))
    await asyncio.sleep(0)
    if has_been_called:
        turns.release("game")
    goes.cancel()
    if not has_been_called:
        turns.release("game")
    await asyncio.wait_for(stays, 5)
    with pytest.raises(asyncio.CancelledError):
        await goes
    turns.release("game")
    assert len(turns) == 0
