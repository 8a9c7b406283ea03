"""The tables of games and of matchmaking, and the functions of the log.

Game comes first: the composite keys of other tables contain the foreign key to it.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

import players.database.ids
from players.database.sql_files import run_sql

OPEN_AND_PUBLIC = Q(("status", "open"), ("visibility", "public"))
PLAYING_AND_PUBLIC = Q(("status", "playing"), ("visibility", "public"))
OVER_AND_PUBLIC = Q(("status__in", ("finished", "aborted", "voided")), ("visibility", "public"))
PLAYED_OUT = Q(("status__in", ("finished", "voided")))


def of_game():
    return models.ForeignKey(
        db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to="games.game"
    )


def of_one_game():
    return models.OneToOneField(
        db_constraint=False,
        on_delete=django.db.models.deletion.DO_NOTHING,
        primary_key=True,
        serialize=False,
        to="games.game",
    )


def uuid():
    return models.UUIDField(default=players.database.ids.uuid7, editable=False, primary_key=True, serialize=False)


def key(*fields):
    return models.CompositePrimaryKey(*fields, blank=True, editable=False, primary_key=True, serialize=False)


class Migration(migrations.Migration):
    initial = True

    dependencies = [("players", "0001_initial")]  # games_append reads their sessions

    operations = [
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", uuid()),
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
                ("deadline_at", models.DateTimeField(null=True)),
                ("active", models.SmallIntegerField(null=True)),
                ("phase", models.CharField(max_length=8, null=True)),
                ("waiting", models.SmallIntegerField(default=0)),
                ("bots_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "permissions": [
                    ("control_game", "Can pause and resume a clock, and abort a game"),
                    ("void_game", "Can take a game out of the count"),
                ],
                "constraints": [models.UniqueConstraint(fields=("code",), name="games_game_code")],
                "indexes": [
                    models.Index(fields=["deadline_at"], name="games_game_due", condition=Q(("deadline_at__isnull", False))),
                    models.Index(fields=["bots_at"], name="games_game_bots", condition=Q(("bots_at__isnull", False))),
                    models.Index(fields=["id"], name="games_game_unstarted", condition=Q(("status", "open"))),
                    models.Index(fields=["id"], name="games_game_open", condition=OPEN_AND_PUBLIC),
                    models.Index(fields=["ruleset", "id"], name="games_game_open_by_ruleset", condition=OPEN_AND_PUBLIC),
                    models.Index(fields=["id"], name="games_game_playing", condition=PLAYING_AND_PUBLIC),
                    models.Index(fields=["status", "id"], name="games_game_over", condition=OVER_AND_PUBLIC),
                    models.Index(fields=["status", "ruleset", "id"], name="games_game_over_by_ruleset", condition=OVER_AND_PUBLIC),
                    models.Index(fields=["ended_at", "id"], name="games_game_played_out", condition=PLAYED_OUT),
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredEvent",
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
            options={
                "db_table": "games_event",
                "indexes": [models.Index(fields=["at"], name="games_event_time_outs", condition=Q(("type", "time_ran_out")))],
            },
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
                ("game", of_one_game()),
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
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("game", of_one_game()),
                ("version", models.IntegerField()),
                ("schema", models.SmallIntegerField()),
                ("state", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Pulse",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("swept_at", models.DateTimeField()),
            ],
            options={"constraints": [models.CheckConstraint(condition=Q(("id", 1)), name="games_pulse_is_one")]},
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("began", models.DateTimeField(primary_key=True, serialize=False)),
                ("ended", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                ("game", uuid()),
                ("settings", models.JSONField()),
                ("players", models.JSONField()),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Ticket",
            fields=[
                ("id", uuid()),
                ("player", models.UUIDField()),
                ("ruleset", models.CharField(max_length=16)),
                ("sheet", models.CharField(max_length=32)),
                ("seats", models.SmallIntegerField()),
                ("rated", models.BooleanField()),
                ("bots_after_s", models.IntegerField(null=True)),
                ("rating", models.FloatField()),
                ("status", models.CharField(default="queued", max_length=9)),
                ("game", models.UUIDField(null=True)),
                ("created_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["ruleset", "sheet", "seats", "rated", "id"],
                        name="games_ticket_queue",
                        condition=Q(("game", None), ("status", "queued")),
                    ),
                    models.Index(fields=["game"], name="games_ticket_game", condition=Q(("game__isnull", False))),
                    models.Index(fields=["seen_at"], name="games_ticket_seen"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player",), name="games_ticket_once", condition=Q(("status", "queued"))
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", uuid()),
                ("by", models.UUIDField()),
                ("player", models.UUIDField()),
                ("status", models.CharField(default="pending", max_length=8)),
                ("created_at", models.DateTimeField()),
                ("game", of_game()),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["player", "id"], name="games_invitation_pending", condition=Q(("status", "pending"))
                    ),
                    models.Index(fields=["by"], name="games_invitation_by"),
                ],
                "constraints": [models.UniqueConstraint(fields=("game", "player"), name="games_invitation_once")],
            },
        ),
        *run_sql("games.log", "append.sql", "outages.sql"),
    ]
