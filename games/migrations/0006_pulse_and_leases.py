"""A heartbeat that proves that the log can be written, and claims that expire."""

from datetime import UTC, datetime

from django.db import migrations, models

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("games", "0005_announced_seeds")]

    operations = [
        migrations.AddField("pulse", "proved_at", models.DateTimeField(db_default=datetime(1970, 1, 1, tzinfo=UTC))),
        migrations.AddField("seed", "deadline_claimed_until", models.DateTimeField(null=True)),
        migrations.AddField("seed", "bots_claimed_until", models.DateTimeField(null=True)),
        *run_sql("games.log", "pulse.sql", "leases.sql"),
    ]
