"""Leaderboards of one sheet, beside those of all sheets of a ruleset."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0002_refuse_truncate")]

    operations = [
        migrations.AddField("leaderboard", "sheet", models.CharField(max_length=32, default="", db_default="")),
        migrations.AddConstraint(
            "leaderboard",
            models.UniqueConstraint(fields=["ruleset", "sheet", "period", "start"], name="players_board_of_sheet"),
        ),
        migrations.RemoveConstraint("leaderboard", "players_board_key"),
    ]
