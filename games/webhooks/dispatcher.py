"""Sends what is due, many messages at once, and records each result as it comes: a slow receiver delays no other."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from games.metrics.shared_counters import WEBHOOK_FAILURES
from games.webhooks import delivery_queue, http_sender, signing
from games.webhooks.http_sender import AttemptResult
from games.webhooks.models import Delivery

THREADS = 32
SLOW_MS = 2000  # a receiver that takes longer for a message is slow
SLOW_FOR = timedelta(hours=1)
SLOW_REMEMBERED = 10_000
TAKES_NEW_FOR = timedelta(seconds=10)  # then it finishes; the next task takes what became due since
POLL_S = 0.2  # while requests are under way

Clock = Callable[[], datetime]


class AttemptUnderWay(NamedTuple):
    delivery: Delivery
    sent_at: datetime


class Dispatcher:
    """One per process; a second call returns while the first one runs."""

    def __init__(self) -> None:
        self._is_running = threading.Lock()
        self._slow: OrderedDict[UUID, datetime] = OrderedDict()  # webhooks, and until when

    def run(self, clock: Clock) -> None:
        if not self._is_running.acquire(blocking=False):
            return
        try:
            with ThreadPoolExecutor(THREADS, "webhooks") as pool:
                self._run(pool, clock)
        finally:
            self._is_running.release()

    def _run(self, pool: ThreadPoolExecutor, clock: Clock) -> None:
        ends, running = clock() + TAKES_NEW_FOR, dict[Future[AttemptResult], AttemptUnderWay]()
        while True:
            if clock() < ends and len(running) < THREADS:
                for delivery in self._claimed([attempt.delivery.webhook_id for attempt in running.values()], clock()):
                    running[_sent(pool, delivery, clock())] = AttemptUnderWay(delivery, clock())
            if not running:
                return
            for done in wait(running, POLL_S, FIRST_COMPLETED).done:
                attempt = running.pop(done)
                if done.result().duration_ms > SLOW_MS:
                    self._remember_slow(attempt.delivery.webhook_id, clock())
                if not done.result().is_success:
                    WEBHOOK_FAILURES.count()
                delivery_queue.record(attempt.delivery, done.result(), attempt.sent_at, clock())

    def _claimed(self, running: list[UUID], now: datetime) -> list[Delivery]:
        """For slow receivers at most half of the threads, so that they do not delay all others."""
        free, slow = THREADS - len(running), {webhook for webhook, until in self._slow.items() if until > now}
        claimed = delivery_queue.claim(now, free, {*running, *slow})
        for_slow = min(free - len(claimed), THREADS // 2 - sum(webhook in slow for webhook in running))
        if slow and for_slow > 0:
            claimed += delivery_queue.claim(now, for_slow, running, among=slow)
        return claimed

    def _remember_slow(self, webhook: UUID, now: datetime) -> None:
        self._slow.pop(webhook, None)
        self._slow[webhook] = now + SLOW_FOR
        if len(self._slow) > SLOW_REMEMBERED:
            self._slow.popitem(last=False)


def _sent(pool: ThreadPoolExecutor, delivery: Delivery, now: datetime) -> Future[AttemptResult]:
    headers = signing.headers(delivery.webhook, str(delivery.pk), delivery.body, now)
    allow = settings.WEBHOOKS_ALLOW_LOOPBACK
    return pool.submit(http_sender.send, delivery.webhook.url, headers, delivery.body, allow_loopback=allow)
