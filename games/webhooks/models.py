"""The tables of webhooks: where to send, how far each log was read, and the messages with their attempts."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from players.database.ids import uuid7

PENDING, DELIVERED, FAILED = "pending", "delivered", "failed"
STATUSES = (PENDING, DELIVERED, FAILED)
BY_OWNER, FAILING, GONE = "owner", "failing", "gone"  # why a webhook is disabled


class Webhook(models.Model):
    """A URL of an account. Its secret is derived from `nonce` (decision 25); an old one signs too until `old_until`."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.UUIDField()
    url = models.CharField(max_length=1000)
    events = models.JSONField()  # the types that are sent
    nonce = models.BinaryField(max_length=32)
    old_nonce = models.BinaryField(max_length=32, null=True)
    old_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    failures = models.SmallIntegerField(default=0)  # consecutive ones
    failing_since = models.DateTimeField(null=True)
    retry_at = models.DateTimeField(null=True)  # while it fails, nothing is sent before
    disabled_at = models.DateTimeField(null=True)
    disabled_because = models.CharField(max_length=8, default="")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "url"], name="webhooks_webhook_url")]

    def __str__(self) -> str:
        return f"{self.player}: {self.url}"


class WebhookCheckpoint(models.Model):
    """The messages of a game up to this version are stored, and whether those about ratings are."""

    pk = models.CompositePrimaryKey("webhook_id", "game")
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, db_index=False)
    game = models.UUIDField()
    version = models.IntegerField(default=0)
    has_ratings = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.game} to {self.version}"


class Delivery(models.Model):
    """One message to one webhook: its id is the `webhook-id` of every attempt."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, db_index=False)
    game = models.UUIDField()
    version = models.IntegerField()
    place = models.SmallIntegerField()  # among the messages of one version
    type = models.CharField(max_length=16)
    body = models.TextField()
    status = models.CharField(max_length=9, default=PENDING)
    created_at = models.DateTimeField()
    next_at = models.DateTimeField()  # of the next attempt; a worker that sends it moves this ahead, as a lease
    trying_since = models.DateTimeField(null=True)
    delivered_at = models.DateTimeField(null=True)
    attempts = models.JSONField(default=list)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["webhook", "game", "version", "place", "id"],
                name="webhooks_delivery_queue",
                condition=Q(status=PENDING),
            ),
            models.Index(fields=["webhook", "id"], name="webhooks_delivery_log"),
        ]

    def __str__(self) -> str:
        return f"{self.type} of {self.game}: {self.status}"
