"""The background sender: calls may fail or be dropped, but the caller never waits."""

import queue
import threading

from redis.exceptions import ConnectionError as RedisConnectionError

from games.live.background_sender import BackgroundSender


def test_a_failed_call_does_not_prevent_the_next_one() -> None:
    sent: queue.SimpleQueue[str] = queue.SimpleQueue()

    def send(name: str) -> None:
        if name == "bad":
            raise RedisConnectionError
        sent.put(name)

    sender = BackgroundSender("test", send)
    for name in ("first", "bad", "last"):
        sender.put(name)
    assert [sent.get(timeout=10), sent.get(timeout=10)] == ["first", "last"]


def test_a_call_beyond_the_capacity_is_dropped_without_waiting() -> None:
    may_continue, last_sent, sent = threading.Event(), threading.Event(), []

    def send(number: int) -> None:
        sent.append(number)
        if number < 2:
            may_continue.wait(30)
        else:
            last_sent.set()

    sender = BackgroundSender("test", send, capacity=2)
    for number in range(10):
        sender.put(number)
    may_continue.set()
    while not last_sent.wait(0.01):  # the thread had room for fewer than ten
        sender.put(99)
    assert len(sent) < 10
