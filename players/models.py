"""Tables of players and their devices' sessions."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import connection, models

from players.ids import uuid7


class PlayerManager(BaseUserManager["Player"]):
    def create_superuser(self, email: str, password: str, **fields: object) -> "Player":
        player = self.model(email=self.normalize_email(email), is_staff=True, is_superuser=True, **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player


class Player(AbstractBaseUser, PermissionsMixin):
    """A guest, an account or a member of staff. A guest has neither address nor password."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=24)
    email = models.EmailField(unique=True, null=True, blank=True)  # NULL: guests share no address
    locale = models.CharField(max_length=5, blank=True, default="")
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    objects: ClassVar[PlayerManager] = PlayerManager()

    def __str__(self) -> str:
        return self.name


class SessionQuerySet(models.QuerySet["Session"]):
    def revoke(self, moment: datetime) -> list[UUID]:
        """Revokes them, and says which were not yet: waits for appends under way, and no later one gets through.

        The only way to do it: `update(revoked_at=…)` and `delete()` would wait for nobody.
        """
        sessions = list(self.filter(revoked_at=None).values_list("pk", flat=True))
        with connection.cursor() as cursor:
            cursor.execute("SELECT players_session_revoke(%s, %s)", [sessions, moment])
            return [session for (session,) in cursor]


class Session(models.Model):
    """One device's token, kept as its hash. Once revoked it can append nothing: the log's `append()` looks here."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sessions")
    token_hash = models.BinaryField(max_length=32, unique=True)
    device = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = SessionQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.player_id}: {self.device or 'device'}"
