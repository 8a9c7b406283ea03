"""The messages that are due, in order per game, and what follows from each attempt; the time is an argument.

A failed message is sent again with growing delays for 24 hours. A webhook to which nothing could be delivered for that
long is disabled, and its messages wait until its owner enables it.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet

from games.game.events import moment_of, stamp
from games.rules.refused import Refused
from games.webhooks.collector import KEPT_FOR
from games.webhooks.http_sender import AttemptResult
from games.webhooks.models import DELIVERED, FAILED, FAILING, GONE, PENDING, Delivery, Webhook

FIRST_DELAY, LONGEST_DELAY = timedelta(seconds=5), timedelta(minutes=30)
GIVE_UP_AFTER = timedelta(hours=24)
LEASE = timedelta(minutes=2)  # longer than an attempt: then another worker may take the message of a killed one
AT_ONCE = 4  # messages to one webhook
SHOWN_ATTEMPTS = 20
GONE_STATUS = 410  # the receiver wants no more messages (Standard Webhooks)

# The first pending message of each game and webhook, except webhooks that wait after a failure, are being served, or
# belong to a banned player. An account with few messages does not wait for one with many.
DUE = """
    WITH heads AS (
        SELECT DISTINCT ON (webhook_id, game) id, webhook_id, next_at
          FROM webhooks_delivery
         WHERE status = 'pending'
         ORDER BY webhook_id, game, version, place, id
    ), owners AS (
        SELECT webhook.player, count(*) AS waiting
          FROM webhooks_delivery AS delivery JOIN webhooks_webhook AS webhook ON webhook.id = delivery.webhook_id
         WHERE delivery.status = 'pending' AND webhook.disabled_at IS NULL
         GROUP BY webhook.player
    ), numbered AS (
        SELECT heads.id, heads.next_at, webhook.failing_since, owners.waiting,
               row_number() OVER (PARTITION BY webhook_id ORDER BY next_at, heads.id) AS number
          FROM heads
               JOIN webhooks_webhook AS webhook ON webhook.id = webhook_id
               JOIN owners ON owners.player = webhook.player
               JOIN players_player AS owner ON owner.id = webhook.player
         WHERE next_at <= %(now)s AND webhook.disabled_at IS NULL AND webhook.id <> ALL (%(busy)s)
           AND (%(among)s::uuid[] IS NULL OR webhook.id = ANY (%(among)s::uuid[]))
           AND (webhook.retry_at IS NULL OR webhook.retry_at <= %(now)s)
           AND (owner.banned_until IS NULL OR owner.banned_until <= %(now)s)
    )
    SELECT id FROM numbered
     WHERE number <= CASE WHEN failing_since IS NULL THEN %(at_once)s ELSE 1 END
     ORDER BY waiting, next_at LIMIT %(limit)s
"""


def delay(failures: int) -> timedelta:
    """After so many consecutive failures.

    >>> [delay(failures).total_seconds() for failures in (1, 2, 3, 10, 1000)]
    [5.0, 10.0, 20.0, 1800.0, 1800.0]
    """
    return min(FIRST_DELAY * (1 << min(failures - 1, 20)), LONGEST_DELAY)


@transaction.atomic
def claim(now: datetime, limit: int, busy: Iterable[UUID] = (), among: Iterable[UUID] | None = None) -> list[Delivery]:
    """Take messages that are due, of all webhooks or of those in `among`, except busy ones. The claim lasts for the
    lease: a message whose worker was killed is due after it."""
    parameters: dict[str, Any] = {"now": now, "limit": limit, "busy": list(busy), "at_once": AT_ONCE}
    parameters["among"] = None if among is None else list(among)
    with connection.cursor() as cursor:
        cursor.execute(DUE, parameters)
        due = [row[0] for row in cursor.fetchall()]
    rows = Delivery.objects.select_for_update(skip_locked=True, of=("self",)).select_related("webhook")
    claimed = list(rows.filter(pk__in=due, status=PENDING, next_at__lte=now).order_by("next_at", "pk"))
    Delivery.objects.filter(pk__in=[one.pk for one in claimed]).update(next_at=now + LEASE)
    # A failing webhook gets one message at a time.
    failing = {one.webhook_id for one in claimed if one.webhook.failing_since is not None}
    Webhook.objects.filter(pk__in=failing).update(retry_at=now + LEASE)
    return claimed


@transaction.atomic
def record(delivery: Delivery, result: AttemptResult, sent_at: datetime, now: datetime) -> None:
    """What an attempt means for the message and its webhook; both may have been removed meanwhile."""
    webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
    stored = Delivery.objects.select_for_update().filter(pk=delivery.pk).first()
    if webhook is None or stored is None:
        return
    delivery = stored
    attempt = {"at": stamp(sent_at), **result._asdict()}
    delivery.attempts = [*delivery.attempts, attempt][-SHOWN_ATTEMPTS:]
    delivery.trying_since = delivery.trying_since or sent_at
    if result.is_success:
        delivery.status, delivery.delivered_at = DELIVERED, now
        webhook.failures, webhook.failing_since, webhook.retry_at = 0, None, None
    else:
        _fail(delivery, webhook, result, sent_at, now)
    delivery.save()
    webhook.save()


def _fail(delivery: Delivery, webhook: Webhook, result: AttemptResult, sent_at: datetime, now: datetime) -> None:
    """Of several messages that fail at once, the first makes the webhook wait."""
    webhook.failing_since = webhook.failing_since or sent_at
    if webhook.failures == 0 or webhook.retry_at == delivery.next_at:
        webhook.failures += 1
        webhook.retry_at = now + delay(webhook.failures)
    since = delivery.trying_since or sent_at
    tries = sum(1 for attempt in delivery.attempts if moment_of(attempt["at"]) >= since)
    delivery.next_at = now + delay(tries)
    if result.status == GONE_STATUS or now - webhook.failing_since >= GIVE_UP_AFTER:
        because = GONE if result.status == GONE_STATUS else FAILING
        webhook.disabled_at, webhook.disabled_because = webhook.disabled_at or now, webhook.disabled_because or because
    elif now - since >= GIVE_UP_AFTER:
        delivery.status = FAILED


@transaction.atomic
def redeliver(webhook: Webhook, delivery: UUID, now: datetime) -> Delivery:
    """Send a message again, with the same id, before all later ones of its game."""
    found = Delivery.objects.select_for_update().filter(webhook=webhook, pk=delivery).first()
    if found is None:
        raise Refused("not_found")
    if webhook.disabled_at is not None:
        raise Refused("webhook_disabled")
    if found.status != PENDING:
        found.status, found.next_at, found.trying_since = PENDING, now, None
        found.save()
    return found


def log(webhook: Webhook, **filters: Any) -> QuerySet[Delivery]:
    return Delivery.objects.filter(webhook=webhook, **filters)


def delete_old(now: datetime) -> None:
    """Whatever their status: the collector does not go back further either."""
    Delivery.objects.filter(created_at__lt=now - KEPT_FOR).delete()
