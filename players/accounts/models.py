"""The tables of players and of unfinished deletions."""

from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from players.database.ids import uuid7
from players.mail import email_addresses

IS_GUEST = models.Q(email=None, erased_at=None, bot_owner=None)


class PlayerManager(BaseUserManager["Player"]):
    def create_superuser(self, email: str, password: str, **fields: object) -> "Player":
        player = self.model(email=email_addresses.normalize(email), is_staff=True, is_superuser=True, **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def get_by_natural_key(self, email: str | None) -> "Player":
        """The admin's login calls this with the address as it was typed."""
        return self.get(email=email_addresses.normalize(email or ""))


class Player(AbstractBaseUser, PermissionsMixin):
    """A guest, an account, a bot account or a member of staff. Guests and bots have neither an address nor a password.

    Deleting a player keeps the row without personal data, because games and their logs refer to its id.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(_("name"), max_length=24)
    email = models.EmailField(_("email address"), unique=True, null=True, blank=True)  # NULL for guests: must be unique
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
    locale = models.CharField(max_length=5, blank=True, default="")
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    became_account_at = models.DateTimeField(null=True, editable=False)  # when a guest registered
    banned_until = models.DateTimeField(null=True, editable=False)  # a time in the past: no longer banned
    erased_at = models.DateTimeField(null=True, editable=False)
    # The account that made this bot account, which has no address and no password; NULL: no bot.
    bot_owner = models.ForeignKey("self", on_delete=models.CASCADE, null=True, editable=False, related_name="bots")

    USERNAME_FIELD = "email"
    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(Lower("email"), name="players_player_address")]
        indexes: ClassVar = [
            models.Index(fields=["id"], name="players_player_guests", condition=IS_GUEST),
            models.Index(
                fields=["became_account_at"],
                name="players_player_became",
                condition=models.Q(became_account_at__isnull=False),
            ),
            models.Index(
                fields=["banned_until"], name="players_player_banned", condition=models.Q(banned_until__isnull=False)
            ),
        ]
        permissions: ClassVar = [
            ("ban_player", "Can ban a player and lift a ban"),
            ("revoke_session", "Can log a player's device out"),
            ("erase_player", "Can make a player anonymous"),
            ("give_role", "Can make a player a member of staff"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_bot(self) -> bool:
        return self.bot_owner_id is not None

    @property
    def is_guest(self) -> bool:
        return self.email is None and not self.is_bot


class Erasure(models.Model):
    """A deletion that is not finished: the personal data is erased, but the player still sits in games."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.player_id}"
