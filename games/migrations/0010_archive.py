"""Where the logs of archived games are."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("games", "0009_partitioned_log")]

    operations = [
        migrations.CreateModel(
            name="Volume",
            fields=[
                ("name", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("store", models.CharField(max_length=512)),
                ("digest", models.BinaryField(max_length=32)),
                ("size", models.BigIntegerField()),
                ("games", models.IntegerField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ArchivedGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("volume", models.CharField(max_length=64)),
                ("offset", models.BigIntegerField()),
                ("length", models.IntegerField()),
                ("version", models.IntegerField()),
                ("hash", models.BinaryField(max_length=32)),
                ("end_version", models.IntegerField(null=True)),
                ("end_at", models.DateTimeField(null=True)),
                ("end_v", models.SmallIntegerField(null=True)),
                ("end_data", models.JSONField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["end_at"], name="games_archivedgame_end", condition=Q(("end_at__isnull", False))
                    )
                ]
            },
        ),
        *run_sql("games.log", "archive.sql"),
    ]
