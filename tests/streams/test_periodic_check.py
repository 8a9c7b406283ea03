"""The check for missed messages: one run at a time, and one more for all requests that came meanwhile."""

import asyncio

from games.streams.sockets.periodic_check import PeriodicCheck

NEVER_S = 3600.0


async def test_requests_during_a_run_lead_to_one_more_run_that_begins_after_the_last_of_them() -> None:
    begun: list[int] = []
    has_begun, may_end = asyncio.Event(), asyncio.Semaphore(0)

    async def check() -> None:
        begun.append(1)
        has_begun.set()
        await may_end.acquire()

    periodic = PeriodicCheck(NEVER_S, check)
    running = asyncio.create_task(periodic.run())
    async with asyncio.timeout(10):
        for runs in (1, 2):
            has_begun.clear()
            if runs == 1:
                periodic.request()
            else:
                may_end.release()
            await has_begun.wait()
            for _ in range(10 if runs == 1 else 0):
                periodic.request()
                await asyncio.sleep(0)
            assert len(begun) == runs
        may_end.release()
        await asyncio.sleep(0)
    assert len(begun) == 2
    running.cancel()


async def test_a_check_runs_at_its_interval_without_a_request() -> None:
    twice = asyncio.Event()
    begun: list[int] = []

    async def check() -> None:
        begun.append(1)
        if len(begun) == 2:
            twice.set()

    running = asyncio.create_task(PeriodicCheck(0.01, check).run())
    async with asyncio.timeout(10):
        await twice.wait()
    running.cancel()
