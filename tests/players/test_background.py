"""Background tasks are restarted when they fail, and end when they are stopped."""

import asyncio
import logging

import pytest

from players.database import background
from players.database.background import RESTARTS, BackgroundTasks


def restarts() -> float:
    samples = [sample for metric in RESTARTS.collect() for sample in metric.samples]
    return sum(
        sample.value for sample in samples if sample.name.endswith("_total") and sample.labels["task"] == "example"
    )


async def test_a_background_task_that_fails_is_logged_counted_and_started_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "RESTART_AFTER_S", 0.0)
    runs = 0

    async def run() -> None:
        nonlocal runs
        runs += 1
        if runs < 3:
            raise ValueError("broken")

    tasks, before = BackgroundTasks(), restarts()
    with caplog.at_level(logging.ERROR):
        await asyncio.wait_for(tasks.start("example", run), 5)
    assert runs == 3
    assert restarts() == before + 2
    assert [record.message.split(";")[0] for record in caplog.records] == ["background task example failed"] * 2


async def test_stopping_ends_a_background_task_that_waits() -> None:
    is_running = asyncio.Event()

    async def run() -> None:
        is_running.set()
        await asyncio.Event().wait()

    tasks = BackgroundTasks()
    task = tasks.start("example", run)
    await is_running.wait()
    await asyncio.wait_for(tasks.stop(), 5)
    assert task.cancelled()
