"""Tables of players, their sessions, what is kept for a while about what they tried, and what their games brought."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import connection, models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from players.accounts import email_addresses
from players.database.ids import uuid7

GUESTS = models.Q(email=None, erased_at=None)


class PlayerManager(BaseUserManager["Player"]):
    def create_superuser(self, email: str, password: str, **fields: object) -> "Player":
        player = self.model(email=email_addresses.normal(email), is_staff=True, is_superuser=True, **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def get_by_natural_key(self, email: str | None) -> "Player":
        """How the admin's login finds somebody: however the address is written."""
        return self.get(email=email_addresses.normal(email or ""))


class Player(AbstractBaseUser, PermissionsMixin):
    """A guest, an account or a member of staff. A guest has neither address nor password.

    Of whoever is deleted the row stays, as an id without a person: games and their logs name it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(_("name"), max_length=24)
    email = models.EmailField(_("email address"), unique=True, null=True, blank=True)  # NULL: guests share no address
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
    locale = models.CharField(max_length=5, blank=True, default="")
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    became_account_at = models.DateTimeField(null=True, editable=False)  # of a guest who registered
    banned_until = models.DateTimeField(null=True, editable=False)  # in the past: no longer
    erased_at = models.DateTimeField(null=True, editable=False)

    USERNAME_FIELD = "email"
    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(Lower("email"), name="players_player_address")]
        indexes: ClassVar = [
            models.Index(fields=["id"], name="players_player_guests", condition=GUESTS),
            models.Index(
                fields=["became_account_at"], name="players_player_became", condition=Q(became_account_at__isnull=False)
            ),
            models.Index(
                fields=["banned_until"], name="players_player_banned", condition=Q(banned_until__isnull=False)
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


class Attempt(models.Model):
    """Something that may be tried only so often, such as a password. Whose it was can be seen by nobody."""

    key = models.BinaryField(max_length=32)
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["key", "at"], name="players_attempt_key"),
            models.Index(fields=["at"], name="players_attempt_at"),
        ]

    def __str__(self) -> str:
        return f"{self.at}"


class Erasure(models.Model):
    """A deletion that is not finished: the person is gone, and has not yet left all games."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.player_id}"


class Receipt(models.Model):
    """The answer to a key that came with a call to the players' API: the same key does nothing again."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    fingerprint = models.BinaryField(max_length=32)
    status = models.SmallIntegerField()
    body = models.JSONField(null=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "key"], name="players_receipt_key")]
        indexes: ClassVar = [models.Index(fields=["at"], name="players_receipt_at")]

    def __str__(self) -> str:
        return self.key


class Between(models.Model):
    """What one player has decided about another, once."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "other"], name="%(class)s_once")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.other_id}"


class Block(Between):
    """The two never meet by the service's doing."""


class Mute(Between):
    """The player hears no phrase of the other."""


class Played(models.Model):
    """One player's part in one finished game. By opaque id: it outlives the player, for others' ratings rest on it."""

    pk = models.CompositePrimaryKey("game", "player")
    game = models.UUIDField()
    player = models.UUIDField()
    seat = models.SmallIntegerField()
    ruleset = models.CharField(max_length=16)
    sheet = models.CharField(max_length=32)
    ended_at = models.DateTimeField()
    rank = models.SmallIntegerField()
    points = models.IntegerField()
    deserted = models.BooleanField()
    counts = models.BooleanField()  # for ratings and boards

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["player", "ruleset", "ended_at", "game"], name="players_played_of"),
            models.Index(fields=["ruleset", "ended_at", "game"], name="players_played_order", condition=Q(counts=True)),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.game}: {self.rank}"


class RatingChange(models.Model):
    """What a game did to a player's rating, with what went in; the others' are the other changes of the same game."""

    pk = models.CompositePrimaryKey("game", "player")
    game = models.UUIDField()
    player = models.UUIDField()
    ruleset = models.CharField(max_length=16)
    ended_at = models.DateTimeField()
    rank = models.SmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.IntegerField()  # how many, with this one
    shown = models.IntegerField()
    model = models.CharField(max_length=32)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["player", "ruleset", "ended_at", "game"], name="players_rating_of"),
        ]

    def __str__(self) -> str:
        return f"{self.player} after {self.game}: {self.mu}"


class Board(models.Model):
    """The leaderboards of one ruleset and period. Every change of a standing gives it another revision."""

    ruleset = models.CharField(max_length=16)
    period = models.CharField(max_length=5)
    start = models.DateField()
    revision = models.UUIDField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ruleset", "period", "start"], name="players_board_key")
        ]

    def __str__(self) -> str:
        return f"{self.ruleset}, {self.period} of {self.start}"


class Standing(models.Model):
    """What one player has reached in a board's period."""

    pk = models.CompositePrimaryKey("board_id", "player")
    board = models.ForeignKey(Board, on_delete=models.CASCADE, db_index=False)
    player = models.UUIDField()
    games = models.IntegerField()
    wins = models.IntegerField()
    points = models.IntegerField()
    best_score = models.IntegerField()
    rating = models.IntegerField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["board", metric, "player"], name=f"players_standing_{metric}")
            for metric in ("rating", "wins", "points", "best_score")
        ] + [models.Index(fields=["player"], name="players_standing_player")]

    def __str__(self) -> str:
        return f"{self.player} on {self.board_id}"


class Checkpoint(models.Model):
    """How a game had ended when a projection took it in: finished, or voided since."""

    pk = models.CompositePrimaryKey("game", "projection")
    game = models.UUIDField()
    projection = models.CharField(max_length=16)
    status = models.CharField(max_length=8)

    def __str__(self) -> str:
        return f"{self.game} in {self.projection}"


class StaffAction(models.Model):
    """What a member of staff has done, to whom and why. Never changed and never deleted: a trigger refuses both."""

    by = models.UUIDField()
    at = models.DateTimeField()
    what = models.CharField(max_length=16)
    kind = models.CharField(max_length=8)  # game or player
    target = models.UUIDField()
    reason = models.CharField(max_length=500)
    detail = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["target", "id"], name="players_action_target")]

    def __str__(self) -> str:
        return f"{self.what}: {self.target}"


class Report(models.Model):
    """What one player has to say against another, until somebody of the staff has seen to it, and after."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="reports")
    reason = models.CharField(max_length=16)
    game = models.UUIDField(null=True)
    text = models.CharField(max_length=500, blank=True, default="")
    created_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.UUIDField(null=True)
    resolution = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["id"], name="players_report_open", condition=Q(resolved_at=None))]
        permissions: ClassVar = [("resolve_report", "Can resolve a report")]

    def __str__(self) -> str:
        return f"{self.reason}: {self.player_id}"
