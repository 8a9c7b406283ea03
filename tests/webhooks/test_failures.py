"""A receiver that is down, slow or gone: messages are kept and sent again in order; at last it is disabled."""

import socket
import threading
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connections
from django.db.models import Min

from games.metrics.shared_counters import WEBHOOK_FAILURES
from games.rules.refused import Refused
from games.webhooks import collector, delivery_queue, dispatcher, endpoints, http_sender
from games.webhooks.endpoints import NewSecret
from games.webhooks.event_payloads import TYPES, history
from games.webhooks.models import DELIVERED, FAILED, PENDING, Delivery, Webhook
from games.webhooks.public_addresses import resolve
from players.database.ids import uuid7
from players.limits import budgets
from players.models import Player
from tests.metric_values import taken
from tests.webhooks.games import TestClock, deliver, read_log, resign, start, step
from tests.webhooks.receiver import Receiver, ServedReceiver, serving


def until_delivered(clock: TestClock, at_most: timedelta) -> None:
    """Let the time pass, a minute each or until the next attempt, until nothing is pending."""
    end = clock() + at_most
    deliver(clock)
    while Delivery.objects.filter(status=PENDING).exists() and clock() < end:
        retry_at = Webhook.objects.aggregate(first=Min("retry_at"))["first"] or clock()
        clock.now = max(clock.wait(minutes=1), retry_at)
        deliver(clock)


def test_everything_arrives_in_order_after_the_receiver_was_down_for_an_hour(
    clock: TestClock, ann: UUID, bob: UUID
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    endpoints.register(ann, f"http://127.0.0.1:{port}/hook", list(TYPES), clock())
    games = [start(clock, ann, bob) for _ in range(3)]
    for _ in range(60):
        games = [step(clock, game) for game in games]
        deliver(clock)
        clock.wait(minutes=1)
    assert Delivery.objects.exclude(status=PENDING).count() == 0
    assert max(len(one.attempts) for one in Delivery.objects.all()) > 1
    receiver = Receiver()
    with serving(receiver, port):
        until_delivered(clock, timedelta(hours=1))
    expected = {game.id: types_in_log(game.id, ann) for game in games}
    assert {game.id: _types(receiver, game.id) for game in games} == expected
    for game in games:
        versions = [message["data"]["version"] for message in receiver.messages if message["data"]["game"] == game.id]
        assert versions == sorted(versions)
    assert Webhook.objects.get().failing_since is None


def types_in_log(game: str, player: UUID) -> list[str]:
    """What the whole log says, read once."""
    return [one.type for one in history(read_log(UUID(game)), 0).occurrences if one.player == str(player)]


def _told(game: str, player: UUID) -> list[Delivery]:
    rows = Delivery.objects.filter(game=game, webhook__player=player)
    return list(rows.order_by("version", "place"))


def _types(receiver: Receiver, game: str) -> list[str]:
    return [message["type"] for message in receiver.messages if message["data"]["game"] == game]


def test_a_failed_message_blocks_its_own_game_only_and_keeps_its_id(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    receiver.script = [500]
    taken(WEBHOOK_FAILURES)
    start(clock, ann, bob)
    deliver(clock)
    assert len(receiver.received) == taken(WEBHOOK_FAILURES) == 1
    clock.wait(seconds=4)
    deliver(clock)
    assert len(receiver.received) == 1
    clock.wait(seconds=2)
    deliver(clock)
    assert receiver.received[0].id == receiver.received[1].id
    assert receiver.received[0].body == receiver.received[1].body
    first = Delivery.objects.order_by("version", "place")[0]
    assert [attempt["status"] for attempt in first.attempts] == [500, 204]


def test_a_webhook_is_disabled_after_a_day_of_failures_and_continues_when_it_is_enabled(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    receiver.status = 503
    game = start(clock, ann, bob)
    until_delivered(clock, timedelta(hours=25))
    found = endpoints.get(ann, webhook.webhook.pk)
    assert (found.disabled_because, found.disabled_at is not None) == ("failing", True)
    assert timedelta(hours=24) <= found.disabled_at - webhook.webhook.created_at < timedelta(hours=25)  # type: ignore[operator]
    assert 40 < len(receiver.received) < 80
    resign(clock, game, bob)
    deliver(clock)
    seen, receiver.status = len(receiver.received), 200
    deliver(clock)
    assert len(receiver.received) == seen
    endpoints.change(ann, found.pk, {"is_enabled": True}, clock())
    deliver(clock)
    types = receiver.types()[seen:]
    assert (types[0], types[-1]) == ("game.started", "game.finished")
    assert not Delivery.objects.exclude(status=DELIVERED).exists()


def test_a_message_that_alone_fails_for_a_day_is_given_up_and_the_next_one_is_sent(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    receiver.script = [400]
    game = start(clock, ann, bob)
    deliver(clock)
    clock.wait(hours=25)
    Webhook.objects.update(failing_since=None, failures=0, retry_at=None)  # as after another game's success
    receiver.script = [400]
    deliver(clock)
    assert _told(game.id, ann)[0].status == FAILED
    clock.wait(seconds=6)
    deliver(clock)
    assert not endpoints.get(ann, webhook.webhook.pk).disabled_at
    assert {one.status for one in _told(game.id, ann)[1:]} <= {DELIVERED}


def test_a_receiver_that_is_gone_gets_no_more_messages(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    receiver.status = 410
    start(clock, ann, bob)
    until_delivered(clock, timedelta(minutes=10))
    assert len(receiver.received) == 1
    assert endpoints.get(ann, webhook.webhook.pk).disabled_because == "gone"


def test_a_message_is_sent_again_on_demand_before_later_ones_of_its_game(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    game = start(clock, ann, bob)
    deliver(clock)
    first = _told(game.id, ann)[0]
    resign(clock, game, bob)
    collector.collect(read_log, clock())
    delivery_queue.redeliver(webhook.webhook, first.pk, clock())
    sent = len(receiver.received)
    dispatcher.Dispatcher().run(clock)
    assert receiver.types()[sent:] == ["game.started", "game.finished"]
    assert receiver.received[sent].id == receiver.received[0].id
    endpoints.change(ann, webhook.webhook.pk, {"is_enabled": False}, clock())
    with pytest.raises(Refused, match="webhook_disabled"):
        delivery_queue.redeliver(endpoints.get(ann, webhook.webhook.pk), first.pk, clock())


def deliver_in_thread(clock: TestClock) -> None:
    try:
        deliver(clock)
    finally:
        connections.close_all()


def test_a_receiver_that_does_not_answer_delays_no_other(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    receiver.is_open.clear()
    other = Receiver()
    with serving(other) as url:
        endpoints.register(bob, url, list(TYPES), clock())
        game = resign(clock, start(clock, ann, bob), ann)
        thread = threading.Thread(target=deliver_in_thread, args=(clock,))
        thread.start()
        other.wait_for(2)  # game.started and game.finished, one after the other
        assert (len(receiver.received), game.is_over) == (1, True)
        receiver.is_open.set()
        thread.join()


def test_slow_receivers_leave_half_of_the_threads_to_the_others(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "THREADS", 4)
    monkeypatch.setattr(dispatcher, "SLOW_MS", 300)
    dispatching, other = dispatcher.Dispatcher(), Receiver()

    def dispatch() -> threading.Thread:
        collector.collect(read_log, clock())
        thread = threading.Thread(target=dispatch_in_thread, args=(dispatching, clock))
        thread.start()
        return thread

    with serving(other) as url:
        endpoints.register(bob, url, list(TYPES), clock())
        start(clock, ann, uuid7())
        receiver.is_open.clear()
        first = dispatch()
        receiver.wait_for(1)
        first.join(0.5)  # until the receiver is known as slow
        receiver.is_open.set()
        first.join()
        receiver.is_open.clear()
        seen = len(receiver.received)
        for _ in range(4):
            start(clock, ann, uuid7())
        start(clock, bob, uuid7())
        second = dispatch()
        other.wait_for(1)
        assert len(receiver.received) - seen <= 2
        receiver.is_open.set()
        second.join()
        assert len(receiver.received) - seen >= 4


def dispatch_in_thread(dispatching: dispatcher.Dispatcher, clock: TestClock) -> None:
    try:
        dispatching.run(clock)
    finally:
        connections.close_all()


def test_a_response_that_never_ends_is_not_read_and_a_silent_receiver_times_out(
    served: ServedReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.receiver.body = b"x" * 50_000_000
    result = http_sender.send(served.url, {}, "{}", allow_loopback=True)
    assert (result.status, result.error) == (204, None)
    monkeypatch.setattr(http_sender, "TOTAL_S", 0.3)
    served.receiver.is_open.clear()
    assert http_sender.send(served.url, {}, "{}", allow_loopback=True).error == "timeout"


def test_a_name_server_that_does_not_answer_holds_no_thread_beyond_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of a webhook may run the name server of its host."""
    is_over, looked_up = threading.Event(), socket.getaddrinfo

    def slow(host: str, *arguments: Any, **options: Any) -> Any:
        is_over.wait(60)
        return looked_up("127.0.0.1", *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    monkeypatch.setattr(http_sender, "TOTAL_S", 0.3)
    results: list[http_sender.AttemptResult] = []
    sending = threading.Thread(
        target=lambda: results.append(http_sender.send("https://hook.example.org/", {}, "{}", allow_loopback=False))
    )
    sending.start()
    sending.join(10)
    is_returned = bool(results)
    is_over.set()
    sending.join()
    assert (is_returned, results[0].error) == (True, "timeout")


def test_a_redirect_is_a_failure_and_is_not_followed(served: ServedReceiver) -> None:
    target = Receiver()
    with serving(target) as url:
        served.receiver.status, served.receiver.headers = 307, {"Location": url}
        result = http_sender.send(served.url, {}, "{}", allow_loopback=True)
    assert (result.status, result.is_success, target.received) == (307, False, [])


def test_a_message_that_cannot_be_sent_at_all_stops_no_other_and_is_logged(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that the sender does not know, on the way to one of two receivers."""

    async def failing(host: str, port: int, *, allow_loopback: bool) -> str:
        if host == "hook.example.org":
            raise RuntimeError("unknown to the sender")
        return await resolve(host, port, allow_loopback=allow_loopback)

    monkeypatch.setattr("games.webhooks.http_sender.resolve", failing)
    endpoints.register(bob, "https://hook.example.org/", list(TYPES), clock())
    resign(clock, start(clock, ann, bob), ann)
    deliver(clock)
    assert receiver.types()[-1] == "game.finished"
    (first, *_) = _told_games(bob)
    assert (first.status, [attempt["error"] for attempt in first.attempts]) == (PENDING, ["internal"])


def _told_games(player: UUID) -> list[Delivery]:
    return list(Delivery.objects.filter(webhook__player=player).order_by("version", "place"))


def test_a_result_for_a_message_that_was_deleted_meanwhile_is_dropped(
    webhook: NewSecret, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    start(clock, ann, bob)
    collector.collect(read_log, clock())
    claimed = delivery_queue.claim(clock(), 1)
    Delivery.objects.all().delete()
    delivery_queue.record(claimed[0], http_sender.AttemptResult(204, None, 1), clock(), clock())
    assert not Delivery.objects.exists()


def test_what_a_receiver_does_not_take_stays_in_the_log_and_comes_in_order_later(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of messages are bounded however long a receiver is down."""
    monkeypatch.setattr(budgets, "MESSAGES_WAITING", 4)
    receiver.status, games = 503, [start(clock, ann, bob) for _ in range(2)]
    for _ in range(4):
        games = [step(clock, game, 5) for game in games]
        collector.collect(read_log, clock())
    assert Delivery.objects.count() < 8, "what the last look at a game has found may exceed the limit"
    expected = {game.id: types_in_log(game.id, ann) for game in games}
    assert sum(map(len, expected.values())) > 10
    clock.wait(hours=1)
    receiver.status = 200
    while len(receiver.received) < sum(map(len, expected.values())):
        seen = len(receiver.received)
        deliver(clock)
        assert len(receiver.received) > seen, "messages are left in the log"
    assert {game.id: _types(receiver, game.id) for game in games} == expected


def test_of_delivered_messages_the_newest_are_kept(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "MESSAGES_KEPT", 3)
    for _ in range(4):
        resign(clock, start(clock, ann, bob), bob)
        deliver(clock)
    newest = list(Delivery.objects.order_by("-pk"))
    deliver(clock)  # the next look at the logs removes what was delivered since the last one
    resign(clock, start(clock, ann, bob), bob)
    collector.collect(read_log, clock())
    kept = Delivery.objects.filter(status=DELIVERED)
    assert [one.pk for one in kept.order_by("-pk")] == [one.pk for one in newest[:3]]


def test_an_account_with_few_messages_does_not_wait_for_one_with_many(
    webhook: NewSecret, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    for number in range(4):
        endpoints.register(ann, f"https://hook.example.org/{number}", list(TYPES), clock())
    start(clock, ann, uuid7())
    collector.collect(read_log, clock())
    endpoints.register(bob, "https://hook.example.org/bob", list(TYPES), clock())
    start(clock, bob, uuid7())
    clock.wait(seconds=1)
    collector.collect(read_log, clock())
    assert [one.webhook.player for one in delivery_queue.claim(clock(), 1)] == [bob]


@pytest.mark.parametrize("is_pending", [False, True], ids=["collected later", "collected before"])
def test_a_banned_player_gets_no_messages_before_the_ban_ends(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID, is_pending: bool
) -> None:
    game = start(clock, ann, bob)
    if is_pending:
        collector.collect(read_log, clock())
    Player.objects.filter(pk=ann).update(banned_until=clock() + timedelta(hours=1))
    deliver(clock)
    assert receiver.received == []
    clock.wait(hours=2)
    deliver(clock)
    assert receiver.types() == types_in_log(game.id, ann)
