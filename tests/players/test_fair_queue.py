"""Turns are given in order, shared by addresses first and sessions second, and freed by every end."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from players.database.refusal import RequestRefused
from players.limits.fair_queue import Client, FairQueue

ANN, BOB = Client("192.0.2.1", "Ann"), Client("192.0.2.2", "Bob")
MALLORY, TRUDY = Client("192.0.2.9", "Mallory"), Client("192.0.2.9", "Trudy")


class Works:
    """Requests that hold their places until they are released."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue, self.began = queue, list[Client]()
        self.released = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self, client: Client, count: int = 1) -> list[asyncio.Task[None]]:
        new = [asyncio.create_task(self._work(client)) for _ in range(count)]
        self._tasks += new
        await settled()
        return new

    async def _work(self, client: Client) -> None:
        async with self.queue.turn(client):
            self.began.append(client)
            await self.released.wait()

    def cancel_first(self) -> None:
        self._tasks[0].cancel()

    async def end(self) -> None:
        self.released.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def one_after_the_other(queue: FairQueue, *clients: Client) -> list[Client]:
    """The order in which requests get their turns that came in this order while all places were taken."""
    order: list[Client] = []

    async def work(client: Client) -> None:
        async with queue.turn(client):
            order.append(client)
            await asyncio.sleep(0)

    async with queue.turn(Client("192.0.2.100")):
        tasks = [asyncio.create_task(work(client)) for client in clients]
        await settled()
        assert order == []
    await asyncio.gather(*tasks)
    return order


async def test_a_session_holds_half_of_the_places_and_an_address_three_quarters() -> None:
    works = Works(FairQueue("test", 8))
    await works.begin(MALLORY, 10)
    assert works.began == [MALLORY] * 4
    await works.begin(TRUDY, 10)
    assert works.began == [MALLORY] * 4 + [TRUDY] * 2
    await works.begin(ANN)
    await works.begin(BOB)
    assert works.began[6:] == [ANN, BOB]
    assert len(works.queue) == 14
    await works.end()
    assert len(works.queue) == 0


@pytest.mark.parametrize("places", [1, 2, 3])
async def test_a_small_queue_gives_every_client_a_place(places: int) -> None:
    works = Works(FairQueue("test", places))
    await works.begin(MALLORY, 3)
    assert works.began == [MALLORY]
    await works.end()
    assert works.began == [MALLORY] * 3


async def test_addresses_take_turns() -> None:
    order = await one_after_the_other(FairQueue("test", 1), *[MALLORY] * 5, ANN, BOB, ANN)
    assert order == [MALLORY, ANN, BOB, MALLORY, ANN, *[MALLORY] * 3]


async def test_sessions_of_an_address_take_turns() -> None:
    order = await one_after_the_other(FairQueue("test", 1), *[MALLORY] * 3, TRUDY, TRUDY)
    assert order == [MALLORY, TRUDY, MALLORY, TRUDY, MALLORY]


async def test_requests_of_one_client_keep_their_order() -> None:
    queue, order = FairQueue("test", 1), list[int]()

    async def work(number: int) -> None:
        async with queue.turn(ANN):
            order.append(number)

    await asyncio.gather(*map(work, range(20)))
    assert order == list(range(20))


async def cancelled_while_it_waits(works: Works) -> None:
    (waiting,) = await works.begin(BOB)
    waiting.cancel()
    await settled()


async def cancelled_in_the_moment_of_its_turn(works: Works) -> None:
    (waiting,) = await works.begin(BOB)
    works.released.set()
    await asyncio.sleep(0)  # Ann's request has ended and given its turn to Bob's, which has not run since
    assert len(works.queue) == 0
    assert works.began == [ANN]
    waiting.cancel()
    await settled()
    assert works.began == [ANN]


async def cancelled_together_with_the_request_before_it(works: Works) -> None:
    (waiting,) = await works.begin(BOB)
    waiting.cancel()
    works.released.set()  # Ann's request ends before Bob's has seen its cancellation
    await settled()
    assert works.began == [ANN]


async def cancelled_behind_the_end_of_the_request_before_it(works: Works) -> None:
    (waiting,) = await works.begin(BOB)
    works.cancel_first()
    waiting.cancel()
    await settled()
    assert works.began == [ANN]


async def failed(works: Works) -> None:
    await works.end()
    with pytest.raises(ZeroDivisionError):
        async with works.queue.turn(ANN):
            raise ZeroDivisionError


@pytest.mark.parametrize(
    "end",
    [
        cancelled_while_it_waits,
        cancelled_in_the_moment_of_its_turn,
        cancelled_together_with_the_request_before_it,
        cancelled_behind_the_end_of_the_request_before_it,
        failed,
    ],
)
async def test_every_end_frees_the_place(end: Callable[[Works], Awaitable[None]]) -> None:
    works = Works(FairQueue("test", 1))
    await works.begin(ANN)
    await end(works)
    await works.end()
    assert len(works.queue) == 0
    async with asyncio.timeout(1), works.queue.turn(TRUDY) as waited:
        assert not waited


async def test_an_address_may_have_only_so_many_requests_waiting() -> None:
    works = Works(FairQueue("test", 1, waiting_per_address=3))
    await works.begin(ANN)
    await works.begin(MALLORY, 2)
    await works.begin(TRUDY)
    with pytest.raises(RequestRefused, match="too_many_requests"):
        async with works.queue.turn(TRUDY):
            pass
    await works.begin(BOB)
    assert len(works.queue) == 4
    await works.end()
