"""Delivery by real Celery workers: started by beat, and complete though a worker is killed while it sends."""

import signal
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from uuid import UUID

import pytest
import redis
from django.conf import settings
from django.db.models import F

from games.tasks import send_webhooks
from games.webhooks import delivery_queue
from games.webhooks.endpoints import NewSecret
from games.webhooks.event_payloads import history
from games.webhooks.models import PENDING, Delivery, Webhook
from tests.embedded.launcher import LaunchedProgram
from tests.timekeeping.celery_processes import beat, worker
from tests.webhooks.games import TestClock, read_log, resign, start, step
from tests.webhooks.receiver import Receiver


@pytest.fixture(autouse=True)
def _no_old_tasks() -> Iterator[None]:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete("celery", "time", "bots", "webhooks", "unacked", "unacked_index")
        yield
        client.delete("webhooks", "unacked", "unacked_index")


def sending_worker() -> LaunchedProgram:
    return worker(WEBHOOKS_ALLOW_LOOPBACK="on")


def test_a_killed_worker_loses_no_message_and_keeps_the_order(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    resign(clock, step(clock, start(clock, ann, bob), 12), bob)
    receiver.is_open.clear()
    with sending_worker() as doomed:
        doomed.wait_for("ready.")
        send_webhooks.apply_async(retry=False)
        receiver.wait_for(1)
        doomed.end(signal.SIGKILL)
    receiver.is_open.set()
    stored = list(Delivery.objects.order_by("version", "place"))
    assert {one.status for one in stored} == {PENDING}
    # The lease of the killed worker has passed.
    Delivery.objects.update(next_at=F("next_at") - delivery_queue.LEASE - timedelta(seconds=1))
    with sending_worker() as second:
        second.wait_for("ready.")
        send_webhooks.apply_async(retry=False)
        receiver.wait_for(1 + len(stored))
    assert [received.id for received in receiver.received[1:]] == [str(one.pk) for one in stored]
    assert receiver.received[0].id == receiver.received[1].id
    for received in receiver.received:
        received.verified(webhook.secret)


def test_each_event_arrives_in_order_though_worker_after_worker_is_killed(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID, tmp_path: Path
) -> None:
    """The receiver fails now and then; a worker is killed while it sends messages of three games."""
    games = [resign(clock, step(clock, start(clock, ann, bob), 40), bob) for _ in range(3)]
    receiver.script = [200, 200, 503, *[200] * 8, 500]
    with beat(tmp_path):
        for round_ in range(3):
            with sending_worker() as doomed:
                doomed.wait_for("ready.")
                receiver.wait_for(5 * (round_ + 1))
                doomed.end(signal.SIGKILL)
            # The lease of the killed worker has passed.
            Delivery.objects.filter(status=PENDING).update(next_at=F("next_at") - delivery_queue.LEASE)
            Webhook.objects.update(retry_at=None)
        with sending_worker():
            until = time.monotonic() + 60
            while Delivery.objects.filter(status=PENDING).exists() and time.monotonic() < until:
                time.sleep(0.1)
    # A killed worker may leave half a request.
    whole = [one for one in receiver.received if len(one.body) == int(one.headers["content-length"])]
    for game in games:
        told = history(read_log(UUID(game.id)), 0).occurrences
        expected = [one.body.encode() for one in told if one.player == str(ann)]
        arrived = [received for received in whole if received.message["data"]["game"] == game.id]
        assert list(dict.fromkeys(received.body for received in arrived)) == expected
        assert len({received.id for received in arrived}) == len(expected)
        assert all(received.verified(webhook.secret) for received in arrived)
        places = [expected.index(received.body) for received in arrived]
        assert all(after - before in (0, 1) for before, after in pairwise(places))


def test_beat_and_a_worker_deliver_without_a_request(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID, tmp_path: Path
) -> None:
    with sending_worker(), beat(tmp_path):
        clock.now = datetime.now(UTC)
        start(clock, ann, bob)
        receiver.wait_for(1)
    assert receiver.types()[0] == "game.started"
