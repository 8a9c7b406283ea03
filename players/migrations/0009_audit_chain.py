"""The audit log is chained and says what was changed; sessions of staff have rows."""

import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

import players.database.ids
from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("players", "0008_name_search")]

    operations = [
        migrations.AddField("staffaction", "before", models.TextField(blank=True, db_default="", default="")),
        migrations.AddField("staffaction", "after", models.TextField(blank=True, db_default="", default="")),
        migrations.AddField("staffaction", "position", models.IntegerField(null=True)),
        migrations.AddField("staffaction", "hash", models.BinaryField(max_length=32, null=True)),
        AddIndexConcurrently("staffaction", models.Index(fields=["position"], name="players_action_position")),
        migrations.CreateModel(
            "StaffSession",
            [
                ("id", models.UUIDField(default=players.database.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ("device", models.CharField(blank=True, default="", max_length=200)),
                ("began_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        *run_sql("players.moderation", "action_chain.sql"),
    ]
