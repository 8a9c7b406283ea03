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
    before = models.TextField(blank=True, default="", db_default="")  # what was changed, as JSON
    after = models.TextField(blank=True, default="", db_default="")
    # Of the hash chain, by a trigger; NULL in entries that are older than the chain.
    position = models.IntegerField(null=True)
    hash = models.BinaryField(max_length=32, null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["target", "id"], name="players_action_target"),
            models.Index(fields=["position"], name="players_action_position"),
        ]

    def __str__(self) -> str:
        return f"{self.what}: {self.target}"


class StaffSession(models.Model):
    """A browser in which a member of staff has signed in to the admin; a row that has ended is refused."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="staff_sessions")
    device = models.CharField(max_length=200, blank=True, default="")
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.player_id}: {self.device}"


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
    outcome = models.CharField(max_length=9, blank=True, default="", db_default="")  # of `reports.OUTCOMES`
    assigned_to = models.UUIDField(null=True)  # the member of staff who works on it

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["id"], name="players_report_open", condition=models.Q(resolved_at=None))
        ]
        permissions: ClassVar = [("resolve_report", "Can resolve a report")]

    def __str__(self) -> str:
        return f"{self.reason}: {self.player_id}"
