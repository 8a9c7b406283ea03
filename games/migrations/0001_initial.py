"""The tables. Game stands first: the composite keys of the others are made of its foreign key."""

import django.db.models.deletion
from django.db import migrations, models

import players.database.ids


def of_game():
    return models.ForeignKey(
        db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to="games.game"
    )


def key(*fields):
    return models.CompositePrimaryKey(*fields, blank=True, editable=False, primary_key=True, serialize=False)


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.UUIDField(default=players.database.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ("ruleset", models.CharField(max_length=16)),
                ("sheet", models.CharField(max_length=32)),
                ("status", models.CharField(max_length=8)),
                ("visibility", models.CharField(max_length=7)),
                ("rated", models.BooleanField()),
                ("clock", models.JSONField(null=True)),
                ("seats", models.SmallIntegerField()),
                ("code", models.CharField(max_length=6)),
                ("version", models.IntegerField()),
                ("head_hash", models.BinaryField(max_length=32)),
                ("state", models.BinaryField()),
                ("state_schema", models.SmallIntegerField()),
                ("deadline_at", models.DateTimeField(null=True)),
                ("active", models.SmallIntegerField(null=True)),
                ("phase", models.CharField(max_length=8, null=True)),
                ("waiting", models.SmallIntegerField(default=0)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("code",), name="games_game_code")],
                "indexes": [
                    models.Index(
                        condition=models.Q(("deadline_at__isnull", False)), fields=["deadline_at"], name="games_game_due"
                    ),
                    models.Index(
                        condition=models.Q(("status", "open"), ("visibility", "public")),
                        fields=["id"],
                        name="games_game_open",
                    ),
                    models.Index(
                        condition=models.Q(("status", "open"), ("visibility", "public")),
                        fields=["ruleset", "id"],
                        name="games_game_open_by_ruleset",
                    ),
                    models.Index(
                        condition=models.Q(("status", "playing"), ("visibility", "public")),
                        fields=["id"],
                        name="games_game_playing",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("game", of_game()),
                ("pk", key("game_id", "version")),
                ("version", models.IntegerField()),
                ("type", models.CharField(max_length=32)),
                ("v", models.SmallIntegerField()),
                ("data", models.JSONField()),
                ("actor", models.UUIDField(null=True)),
                ("command", models.CharField(max_length=64, null=True)),
                ("hash", models.BinaryField(max_length=32)),
                ("at", models.DateTimeField()),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("game", of_game()),
                ("pk", key("game_id", "seat")),
                ("seat", models.SmallIntegerField()),
                ("player", models.UUIDField(null=True)),
                ("bot", models.CharField(default="", max_length=16)),
            ],
            options={"indexes": [models.Index(fields=["player", "game"], name="games_seat_player")]},
        ),
        migrations.CreateModel(
            name="Seed",
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
                ("secret", models.BinaryField(max_length=32)),
                ("bot_secret", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("game", of_game()),
                ("pk", key("player", "key")),
                ("player", models.UUIDField()),
                ("key", models.CharField(max_length=64)),
                ("fingerprint", models.BinaryField(max_length=32)),
                ("first_version", models.IntegerField()),
                ("last_version", models.IntegerField()),
            ],
            options={"abstract": False},
        ),
    ]
