"""How late the event loop of a web process is: every action and every socket waits that long for its turn."""

import asyncio

from prometheus_client import Histogram

EVERY_S = 0.25
LAG = Histogram(
    "qwixx_event_loop_lag_seconds",
    "How late a timer of the event loop fired, measured four times a second.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)


async def measure() -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY_S
        await asyncio.sleep(EVERY_S)
        LAG.observe(max(0.0, loop.time() - due))
