"""The tables of the daily figures, which are computed from the games and players and can be computed again."""

from typing import ClassVar

from django.db import models


class DailyFigure(models.Model):
    """One figure of one day (UTC), by ruleset and label where it has such."""

    pk = models.CompositePrimaryKey("day", "name", "ruleset", "label")
    day = models.DateField()
    name = models.CharField(max_length=16)
    ruleset = models.CharField(max_length=16, default="")
    label = models.CharField(max_length=32, default="")
    value = models.BigIntegerField()

    class Meta:
        app_label = "games"

    def __str__(self) -> str:
        return f"{self.day} {self.name} {self.ruleset} {self.label}: {self.value}"


class ActiveDay(models.Model):
    """A player has a seat in a game that was created on this day."""

    pk = models.CompositePrimaryKey("day", "player")
    day = models.DateField()
    player = models.UUIDField()

    class Meta:
        app_label = "games"
        indexes: ClassVar = [models.Index(fields=["player", "day"], name="games_activeday_player")]

    def __str__(self) -> str:
        return f"{self.player} on {self.day}"
