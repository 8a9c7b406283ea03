"""The tables of blocks and mutes."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class PlayerPair(models.Model):
    """What one player has decided about another player; at most one row for each pair."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "other"], name="%(class)s_once")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.other_id}"


class Block(PlayerPair):
    """The service never brings the two players together."""


class Mute(PlayerPair):
    """The player receives no phrases of the other player."""
