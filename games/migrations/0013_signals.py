"""The table of signals."""

from django.db import migrations, models

import players.database.ids


class Migration(migrations.Migration):
    dependencies = [("games", "0012_smaller_events")]

    operations = [
        migrations.CreateModel(
            name="CheatSignal",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=players.database.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("player", models.UUIDField()),
                ("other", models.UUIDField(null=True)),
                ("ruleset", models.CharField(default="", max_length=16)),
                ("figures", models.JSONField()),
                ("found_at", models.DateTimeField()),
            ],
        ),
    ]
