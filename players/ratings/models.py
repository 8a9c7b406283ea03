"""The tables that projections fill from finished games: games played, rating changes and leaderboards."""

from typing import ClassVar

from django.db import models


class PlayedGame(models.Model):
    """One player's part in one finished game.

    It has no foreign key to the player: other players' ratings depend on the row after the account is deleted.
    """

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
    counts = models.BooleanField()  # for ratings and leaderboards

    class Meta:
        db_table = "players_played"
        indexes: ClassVar = [
            models.Index(fields=["player", "ruleset", "ended_at", "game"], name="players_played_of"),
            models.Index(
                fields=["ruleset", "ended_at", "game"], name="players_played_order", condition=models.Q(counts=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.game}: {self.rank}"


class RatingChange(models.Model):
    """How a game changed one player's rating, with the inputs; the opponents have rows of the same game."""

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
    games = models.IntegerField()  # the number of rated games, this one included
    shown = models.IntegerField()
    model = models.CharField(max_length=32)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["player", "ruleset", "ended_at", "game"], name="players_rating_of"),
        ]

    def __str__(self) -> str:
        return f"{self.player} after {self.game}: {self.mu}"


class Leaderboard(models.Model):
    """The leaderboards of one period of a ruleset, or of one of its sheets.

    Every change of a standing sets a new revision.
    """

    ruleset = models.CharField(max_length=16)
    sheet = models.CharField(max_length=32, default="", db_default="")  # empty: all sheets
    period = models.CharField(max_length=5)
    start = models.DateField()
    revision = models.UUIDField()

    class Meta:
        db_table = "players_board"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ruleset", "sheet", "period", "start"], name="players_board_of_sheet")
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.sheet}, {self.period} of {self.start}"


class LeaderboardStanding(models.Model):
    """What one player has achieved within a leaderboard's period."""

    pk = models.CompositePrimaryKey("board_id", "player")
    board = models.ForeignKey(Leaderboard, on_delete=models.CASCADE, db_index=False, related_name="standings")
    player = models.UUIDField()
    games = models.IntegerField()
    wins = models.IntegerField()
    points = models.IntegerField()
    best_score = models.IntegerField()
    rating = models.IntegerField()

    class Meta:
        db_table = "players_standing"
        indexes: ClassVar = [
            models.Index(fields=["board", metric, "player"], name=f"players_standing_{metric}")
            for metric in ("rating", "wins", "points", "best_score")
        ] + [models.Index(fields=["player"], name="players_standing_player")]

    def __str__(self) -> str:
        return f"{self.player} on {self.board_id}"


class Checkpoint(models.Model):
    """A projection has processed a game, which had this status: finished, or voided later."""

    pk = models.CompositePrimaryKey("game", "projection")
    game = models.UUIDField()
    projection = models.CharField(max_length=16)
    status = models.CharField(max_length=8)

    def __str__(self) -> str:
        return f"{self.game} in {self.projection}"
