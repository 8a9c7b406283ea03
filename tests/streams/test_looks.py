"""Whoever may have missed something looks for it: once for all that was said meanwhile, and after the last word."""

import asyncio

import pytest
from django.conf import settings

from games.live.hub import Hub
from games.streams.socket_registry import Floor
from tests.engine.conftest import MakeEngine, make_engine

__all__ = ["make_engine"]


async def test_looks_do_not_pile_up_and_the_last_begins_after_the_last_word(
    make_engine: MakeEngine, conninfo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Floor(await make_engine(conninfo), Hub(settings.REDIS_URL))
    floor._pulse = asyncio.create_task(asyncio.sleep(3600))
    begun, may_end = [], asyncio.Event()

    async def look() -> None:
        begun.append(1)
        await may_end.wait()

    monkeypatch.setattr(floor, "_look", look)
    for _ in range(10):
        floor._redis_is_back()
        await asyncio.sleep(0)
    assert len(begun) == 1
    may_end.set()
    assert floor._extra is not None
    await floor._extra
    assert len(begun) == 2
    floor._redis_is_back()
    await floor._extra
    assert len(begun) == 3
    floor._pulse.cancel()
    await floor.hub.stop()
