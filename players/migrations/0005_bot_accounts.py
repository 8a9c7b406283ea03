"""Bot accounts: players with an owner; a ban of the owner counts for them."""

from django.conf import settings
from django.db import migrations, models

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("players", "0004_access_tokens")]

    operations = [
        migrations.AddField(
            "player",
            "bot_owner",
            models.ForeignKey(
                settings.AUTH_USER_MODEL, models.CASCADE, null=True, editable=False, related_name="bots"
            ),
        ),
        migrations.RemoveIndex("player", "players_player_guests"),
        migrations.AddIndex(
            "player",
            models.Index(
                fields=["id"],
                name="players_player_guests",
                condition=models.Q(email=None, erased_at=None, bot_owner=None),
            ),
        ),
        *run_sql("players.sessions", "ban_notifications.sql"),
    ]
