"""The tables of reports and of staff actions."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from players.database.ids import uuid7


class StaffAction(models.Model):
    """What a member of staff did, to which target and why. A trigger refuses every change and deletion."""

    by = models.UUIDField()
    at = models.DateTimeField()
    what = models.CharField(max_length=16)
    kind = models.CharField(max_length=8)  # of the target: game or player
    target = models.UUIDField()
    reason = models.CharField(max_length=500)
    detail = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["target", "id"], name="players_action_target")]

    def __str__(self) -> str:
        return f"{self.what}: {self.target}"


class Report(models.Model):
    """One player's complaint about another player, open until a member of staff resolves it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports")
    reason = models.CharField(max_length=16)
    game = models.UUIDField(null=True)
    text = models.CharField(max_length=500, blank=True, default="")
    created_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.UUIDField(null=True)
    resolution = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["id"], name="players_report_open", condition=models.Q(resolved_at=None))
        ]
        permissions: ClassVar = [("resolve_report", "Can resolve a report")]

    def __str__(self) -> str:
        return f"{self.reason}: {self.player_id}"
