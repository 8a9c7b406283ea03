"""Messages reach a real receiver: signed, in order per game, each once, and no others."""

from uuid import UUID

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from games.results import projector
from games.webhooks import endpoints
from games.webhooks.endpoints import NewSecret
from games.webhooks.models import DELIVERED, Delivery
from players.database.ids import uuid7
from players.models import Player
from tests.webhooks.games import TestClock, deliver, resign, start, step
from tests.webhooks.receiver import Received, Receiver, ServedReceiver, serving


@pytest.mark.parametrize("ruleset", ["qwixx", "qwinto"])
def test_a_whole_game_is_reported_in_order_and_every_signature_verifies(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID, ruleset: str
) -> None:
    game = start(clock, ann, bob, ruleset=ruleset)
    while not game.is_over:
        game = step(clock, game, 10)
        deliver(clock)
    messages = [received.verified(webhook.secret) for received in receiver.received]
    types = [message["type"] for message in messages]
    assert (types[0], types[-1]) == ("game.started", "game.finished")
    assert set(types[1:-1]) == {"game.your_turn"}
    versions = [message["data"]["version"] for message in messages]
    assert versions == sorted(versions)
    assert {message["data"]["player"] for message in messages} == {str(ann)}
    turns = [message["data"]["turn"] for message in messages[1:-1]]
    assert all(message["data"]["seat"] in message["data"]["turn"]["waiting_for"] for message in messages[1:-1])
    assert len({(turn["number"], turn["roll"], turn["phase"]) for turn in turns}) == len(turns)
    assert messages[-1]["data"]["result"]["ranking"]


def test_games_of_the_bots_of_an_account_are_reported_to_its_webhook(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    """A game of two of them, and no game of a deleted one or of another account's."""
    first, second = (Player.objects.create(name=name, bot_owner_id=ann).pk for name in ("One", "Two"))
    foreign = Player.objects.create(name="Three", bot_owner_id=bob).pk
    gone = Player.objects.create(name="Four", bot_owner_id=ann, is_active=False).pk
    game = resign(clock, start(clock, first, second), first)
    start(clock, foreign, gone)
    deliver(clock)
    messages = [received.verified(webhook.secret) for received in receiver.received]
    assert {message["data"]["game"] for message in messages} == {game.id}
    for bot in (first, second):
        types = [message["type"] for message in messages if message["data"]["player"] == str(bot)]
        assert (types[0], types[-1]) == ("game.started", "game.finished")


def test_messages_are_the_same_however_often_the_log_is_read(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    """A second webhook, whose messages are collected at the end, gets the same."""
    game = start(clock, ann, bob)
    other = Receiver()
    with serving(other) as url:
        late = endpoints.register(
            ann, url, ["game.started", "game.your_turn", "game.finished"], webhook.webhook.created_at
        )
        endpoints.change(ann, late.webhook.pk, {"is_enabled": False}, clock())
        for _ in range(30):
            game = step(clock, game)
            deliver(clock)
        endpoints.change(ann, late.webhook.pk, {"is_enabled": True}, clock())
        deliver(clock)
    assert len(receiver.received) > 10
    assert other.messages == receiver.messages


def test_games_of_other_players_and_games_before_the_registration_are_not_reported(
    ann: UUID, bob: UUID, served: ServedReceiver, clock: TestClock
) -> None:
    before, running = start(clock, ann, bob), start(clock, ann, bob)
    resign(clock, before, bob)
    clock.wait(seconds=1)
    endpoints.register(ann, served.url, ["game.started", "game.finished"], clock())
    start(clock, bob, uuid7())
    resign(clock, running, bob)
    deliver(clock)
    assert [(message["type"], message["data"]["game"]) for message in served.receiver.messages] == [
        ("game.finished", running.id)
    ]


def test_a_change_of_the_rating_follows_the_end_of_its_game_once(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    resign(clock, start(clock, ann, bob, rated=True), bob)
    deliver(clock)
    assert receiver.types()[-1] == "game.finished"
    projector.project_new()
    deliver(clock)
    projector.rebuild()
    deliver(clock)
    assert receiver.types()[-2:] == ["game.finished", "rating.changed"]
    rating = receiver.messages[-1]["data"]["rating"]
    assert rating["value"] > rating["before"]


def test_a_signature_of_another_secret_or_another_body_does_not_verify(
    webhook: NewSecret, served: ServedReceiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    other = endpoints.register(bob, served.url, ["game.started"], clock())
    start(clock, ann, bob)
    deliver(clock)
    first = next(received for received in served.receiver.received if received.message["data"]["player"] == str(ann))
    first.verified(webhook.secret)
    for forged in (first, first._replace(body=first.body.replace(b"started", b"stopped"))):
        with pytest.raises(WebhookVerificationError):
            Verifier(other.secret).verify(forged.body, forged.headers)
    with pytest.raises(WebhookVerificationError):
        Received(first.headers, first.body + b" ").verified(webhook.secret)


def test_both_secrets_sign_after_a_rotation_until_the_old_one_expires(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    new = endpoints.rotate(ann, webhook.webhook.pk, 60, clock())
    start(clock, ann, bob)
    deliver(clock)
    for secret in (webhook.secret, new.secret):
        receiver.received[0].verified(secret)
    clock.wait(seconds=61)
    start(clock, ann, bob)
    deliver(clock)
    receiver.received[-1].verified(new.secret)
    with pytest.raises(WebhookVerificationError):
        receiver.received[-1].verified(webhook.secret)


def test_only_the_types_that_a_webhook_names_are_sent(
    ann: UUID, bob: UUID, served: ServedReceiver, clock: TestClock
) -> None:
    endpoints.register(ann, served.url, ["game.finished"], clock())
    resign(clock, start(clock, ann, bob), bob)
    deliver(clock)
    assert served.receiver.types() == ["game.finished"]


def test_a_delivered_message_is_not_sent_again(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    start(clock, ann, bob)
    deliver(clock)
    count = len(receiver.received)
    clock.wait(hours=1)
    deliver(clock)
    assert len(receiver.received) == count == Delivery.objects.filter(status=DELIVERED).count()
