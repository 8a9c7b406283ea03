"""The table of sessions: one row for each device that is or was logged in, and for each personal access token."""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from players.database.ids import uuid7


class SessionQuerySet(models.QuerySet["Session"]):
    def revoke(self, moment: datetime) -> list[UUID]:
        """Revoke these sessions and return those that were not revoked before.

        This waits for appends under way and stops every later one. Sessions are revoked only through this method:
        `update(revoked_at=…)` and `delete()` would not wait.
        """
        sessions = list(self.filter(revoked_at=None).values_list("pk", flat=True))
        with connection.cursor() as cursor:
            cursor.execute("SELECT players_session_revoke(%s, %s)", [sessions, moment])
            return [session for (session,) in cursor]


class Session(models.Model):
    """A token, stored as its hash; `device` is the name of the device or of the token.

    The log's `append()` refuses events of a revoked session.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sessions")
    token_hash = models.BinaryField(max_length=32, unique=True)
    device = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    # Of personal access tokens; NULL: a device that signed in.
    scopes = ArrayField(models.CharField(max_length=16), null=True)
    expires_at = models.DateTimeField(null=True)

    objects = SessionQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.player_id}: {self.device or 'device'}"
