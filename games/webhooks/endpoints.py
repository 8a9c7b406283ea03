"""The webhooks of an account: register, change, rotate the secret, enable, remove."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from games.rules.refused import Refused
from games.webhooks.models import BY_OWNER, PENDING, Delivery, Webhook
from games.webhooks.signing import new_nonce, secret_of
from players.limits.budgets import WEBHOOKS_PER_ACCOUNT
from players.models import Player


class NewSecret(NamedTuple):
    """A webhook with its secret, which is shown in this one response."""

    webhook: Webhook
    secret: str


class WatchedPlayer(NamedTuple):
    """A player whose games a webhook reports."""

    webhook: UUID
    player: UUID
    since: datetime  # the registration: earlier events are not sent


def watched(now: datetime) -> list[WatchedPlayer]:
    """The players of all enabled webhooks: the account itself and its bot accounts. A ban of one of them, or of the
    owner, ends what webhooks report as it ends streams."""
    may_look = Player.objects.filter(Q(banned_until=None) | Q(banned_until__lte=now))
    enabled = Webhook.objects.filter(disabled_at=None, player__in=may_look.values("pk"))
    own = [WatchedPlayer(*row) for row in enabled.values_list("pk", "player", "created_at")]
    bots = may_look.filter(bot_owner__in={row.player for row in own}, is_active=True)
    owned = bots.values_list("bot_owner", "pk")
    return own + [row._replace(player=bot) for owner, bot in owned for row in own if row.player == owner]


def of_player(player: UUID) -> QuerySet[Webhook]:
    return Webhook.objects.filter(player=player).order_by("pk")


def get(player: UUID, webhook: UUID) -> Webhook:
    found = of_player(player).filter(pk=webhook).first()
    if found is None:
        raise Refused("not_found")
    return found


@transaction.atomic
def register(player: UUID, url: str, events: list[str], now: datetime) -> NewSecret:
    """The lock on the player lets no account exceed the limit, and stores nothing about one that is being deleted."""
    if Player.objects.select_for_update(no_key=True).filter(pk=player, erased_at=None).first() is None:
        raise Refused("not_authenticated")
    if of_player(player).filter(url=url).exists():
        raise Refused("webhook_exists")
    if of_player(player).count() >= WEBHOOKS_PER_ACCOUNT:
        raise Refused("too_many_webhooks")
    nonce = new_nonce()
    webhook = Webhook.objects.create(player=player, url=url, events=events, nonce=nonce, created_at=now)
    return NewSecret(webhook, secret_of(nonce))


@transaction.atomic
def change(player: UUID, webhook: UUID, changes: dict[str, Any], now: datetime) -> Webhook:
    """`changes` may hold url, events and is_enabled."""
    found = _locked(player, webhook)
    is_enabled = changes.pop("is_enabled", None)
    if "url" in changes and of_player(player).filter(url=changes["url"]).exclude(pk=webhook).exists():
        raise Refused("webhook_exists")
    for name, value in changes.items():
        setattr(found, name, value)
    if is_enabled is False and found.disabled_at is None:
        found.disabled_at, found.disabled_because = now, BY_OWNER
    elif is_enabled and found.disabled_at is not None:
        _enable(found, now)
    found.save()
    return found


def _enable(webhook: Webhook, now: datetime) -> None:
    """What waited is due at once, with the whole time for retries."""
    webhook.disabled_at, webhook.disabled_because = None, ""
    webhook.failures, webhook.failing_since, webhook.retry_at = 0, None, None
    Delivery.objects.filter(webhook=webhook, status=PENDING).update(next_at=now, trying_since=None)


@transaction.atomic
def rotate(player: UUID, webhook: UUID, old_valid_s: int, now: datetime) -> NewSecret:
    """The old secret signs as well for so many seconds, so that a receiver can change its own meanwhile."""
    found = _locked(player, webhook)
    nonce = new_nonce()
    found.nonce, found.old_nonce = nonce, found.nonce
    found.old_until = now + timedelta(seconds=old_valid_s)
    found.save()
    return NewSecret(found, secret_of(nonce))


def remove(player: UUID, webhook: UUID) -> None:
    """With its log of deliveries; a request under way is not stopped."""
    get(player, webhook).delete()


def _locked(player: UUID, webhook: UUID) -> Webhook:
    found = of_player(player).select_for_update().filter(pk=webhook).first()
    if found is None:
        raise Refused("not_found")
    return found


def export(player: UUID) -> list[dict[str, Any]]:
    """Every webhook of this player, with its deliveries; secrets are not part of it."""
    names = ("id", "game", "type", "body", "status", "created_at", "delivered_at", "attempts")
    return [
        {
            "id": webhook.pk,
            "url": webhook.url,
            "events": webhook.events,
            "created_at": webhook.created_at,
            "disabled_at": webhook.disabled_at,
            "deliveries": list(Delivery.objects.filter(webhook=webhook).order_by("pk").values(*names)),
        }
        for webhook in of_player(player)
    ]


def erase(player: UUID) -> None:
    Webhook.objects.filter(player=player).delete()
