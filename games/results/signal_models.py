"""The table of signals: what a moderator should look at, computed again every night from finished games."""

from django.db import models

from players.database.ids import uuid7


class CheatSignal(models.Model):
    """One player, or two players together, whose games look like cheating; nothing follows from the row by itself."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = models.CharField(max_length=16)  # of `signals.KINDS`
    player = models.UUIDField()
    other = models.UUIDField(null=True)  # of two players
    ruleset = models.CharField(max_length=16, default="")  # empty: all
    figures = models.JSONField()  # the numbers of the sentence that explains it
    found_at = models.DateTimeField()

    class Meta:
        app_label = "games"

    def __str__(self) -> str:
        return f"{self.kind}: {self.player}"
