"""The tables of the matchmaking queue, of matches and of invitations."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from players.database.ids import uuid7


class Ticket(models.Model):
    """A player who waits or waited for a game. `game` is set with the match, before that game exists."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.UUIDField()
    ruleset = models.CharField(max_length=16)
    sheet = models.CharField(max_length=32)
    seats = models.SmallIntegerField()
    rated = models.BooleanField()
    bots_after_s = models.IntegerField(null=True)  # NULL: people only
    late_seed = models.BooleanField(db_default=False, default=False)  # the player has announced a client seed
    rating = models.FloatField()
    status = models.CharField(max_length=9, default="queued")  # queued, matched, cancelled or expired
    game = models.UUIDField(null=True)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player"], name="games_ticket_once", condition=Q(status="queued"))
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["ruleset", "sheet", "seats", "rated", "id"],
                name="games_ticket_queue",
                condition=Q(status="queued", game=None),
            ),
            models.Index(fields=["game"], name="games_ticket_game", condition=Q(game__isnull=False)),
            models.Index(fields=["seen_at"], name="games_ticket_seen"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.status}"


class Match(models.Model):
    """Players whose game is still to be created, under this id; deleted once the game exists."""

    game = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    settings = models.JSONField()
    players = models.JSONField()  # in the order of their seats
    late_seeds = models.JSONField(db_default=[], default=list)  # those of the players who have announced a client seed
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"match for {self.game}"


class Invitation(models.Model):
    """A player invited to a game; there is one row, even if several players invite."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    game = models.ForeignKey("games.Game", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False)
    by = models.UUIDField()
    player = models.UUIDField()
    status = models.CharField(max_length=8, default="pending")  # pending, accepted or declined
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "player"], name="games_invitation_once")]
        indexes: ClassVar = [
            models.Index(fields=["player", "id"], name="games_invitation_pending", condition=Q(status="pending")),
            models.Index(fields=["by"], name="games_invitation_by"),
        ]

    def __str__(self) -> str:
        return f"{self.player} into {self.game_id}: {self.status}"
