"""The tables of idempotency keys that clients sent to the players' API."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class IdempotencyKey(models.Model):
    """A used key with the response to its first request; a repeated request gets the stored response."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    fingerprint = models.BinaryField(max_length=32)
    status = models.SmallIntegerField()
    body = models.JSONField(null=True)
    at = models.DateTimeField()

    class Meta:
        db_table = "players_receipt"
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "key"], name="players_receipt_key")]
        indexes: ClassVar = [models.Index(fields=["at"], name="players_receipt_at")]

    def __str__(self) -> str:
        return self.key


class RegistrationKey(models.Model):
    """The hash of a key with which a player registered, and the session that it gave last."""

    digest = models.BinaryField(max_length=32, primary_key=True)
    fingerprint = models.BinaryField(max_length=32)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    session = models.UUIDField(null=True)
    at = models.DateTimeField()

    class Meta:
        db_table = "players_registration_key"
        indexes: ClassVar = [models.Index(fields=["at"], name="players_registration_key_at")]

    def __str__(self) -> str:
        return f"{self.player_id}"
