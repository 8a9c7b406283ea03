"""The tables of players, and the SQL files of the packages that own them."""

from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import CASCADE
from django.db.models.functions import Lower

from players.database.ids import uuid7
from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        # players/accounts
        migrations.CreateModel(
            name="Player",
            fields=[
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("id", models.UUIDField(default=uuid7, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=24, verbose_name="name")),
                (
                    "email",
                    models.EmailField(blank=True, max_length=254, null=True, unique=True, verbose_name="email address"),
                ),
                ("email_confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("locale", models.CharField(blank=True, default="", max_length=5)),
                ("is_staff", models.BooleanField(default=False)),
                ("is_active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("became_account_at", models.DateTimeField(editable=False, null=True)),
                ("banned_until", models.DateTimeField(editable=False, null=True)),
                ("erased_at", models.DateTimeField(editable=False, null=True)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "permissions": [
                    ("ban_player", "Can ban a player and lift a ban"),
                    ("revoke_session", "Can log a player's device out"),
                    ("erase_player", "Can make a player anonymous"),
                    ("give_role", "Can make a player a member of staff"),
                ],
                "indexes": [
                    models.Index(
                        condition=models.Q(("email", None), ("erased_at", None)),
                        fields=["id"],
                        name="players_player_guests",
                    ),
                    models.Index(
                        condition=models.Q(("became_account_at__isnull", False)),
                        fields=["became_account_at"],
                        name="players_player_became",
                    ),
                    models.Index(
                        condition=models.Q(("banned_until__isnull", False)),
                        fields=["banned_until"],
                        name="players_player_banned",
                    ),
                ],
                "constraints": [models.UniqueConstraint(Lower("email"), name="players_player_address")],
            },
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=CASCADE, primary_key=True, serialize=False, to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        # players/sessions
        migrations.CreateModel(
            name="Session",
            fields=[
                ("id", models.UUIDField(default=uuid7, editable=False, primary_key=True, serialize=False)),
                ("player", models.ForeignKey(on_delete=CASCADE, related_name="sessions", to=settings.AUTH_USER_MODEL)),
                ("token_hash", models.BinaryField(max_length=32, unique=True)),
                ("device", models.CharField(blank=True, default="", max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("last_seen_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
        ),
        # players/limits
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.BinaryField(max_length=32)),
                ("at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["key", "at"], name="players_attempt_key"),
                    models.Index(fields=["at"], name="players_attempt_at"),
                ],
            },
        ),
        # players/database
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(db_index=False, on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("key", models.CharField(max_length=64)),
                ("fingerprint", models.BinaryField(max_length=32)),
                ("status", models.SmallIntegerField()),
                ("body", models.JSONField(null=True)),
                ("at", models.DateTimeField()),
            ],
            options={
                "db_table": "players_receipt",
                "indexes": [models.Index(fields=["at"], name="players_receipt_at")],
                "constraints": [models.UniqueConstraint(fields=("player", "key"), name="players_receipt_key")],
            },
        ),
        # players/social
        migrations.CreateModel(
            name="Block",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(db_index=False, on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("other", models.ForeignKey(on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("player", "other"), name="block_once")],
            },
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(db_index=False, on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                ("other", models.ForeignKey(on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("player", "other"), name="mute_once")],
            },
        ),
        # players/moderation
        migrations.CreateModel(
            name="StaffAction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("by", models.UUIDField()),
                ("at", models.DateTimeField()),
                ("what", models.CharField(max_length=16)),
                ("kind", models.CharField(max_length=8)),
                ("target", models.UUIDField()),
                ("reason", models.CharField(max_length=500)),
                ("detail", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={
                "indexes": [models.Index(fields=["target", "id"], name="players_action_target")],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.UUIDField(default=uuid7, editable=False, primary_key=True, serialize=False)),
                ("by", models.ForeignKey(on_delete=CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("player", models.ForeignKey(on_delete=CASCADE, related_name="reports", to=settings.AUTH_USER_MODEL)),
                ("reason", models.CharField(max_length=16)),
                ("game", models.UUIDField(null=True)),
                ("text", models.CharField(blank=True, default="", max_length=500)),
                ("created_at", models.DateTimeField()),
                ("resolved_at", models.DateTimeField(null=True)),
                ("resolved_by", models.UUIDField(null=True)),
                ("resolution", models.CharField(blank=True, default="", max_length=500)),
            ],
            options={
                "permissions": [("resolve_report", "Can resolve a report")],
                "indexes": [
                    models.Index(condition=models.Q(("resolved_at", None)), fields=["id"], name="players_report_open")
                ],
            },
        ),
        # players/ratings
        migrations.CreateModel(
            name="PlayedGame",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game", "player", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("game", models.UUIDField()),
                ("player", models.UUIDField()),
                ("seat", models.SmallIntegerField()),
                ("ruleset", models.CharField(max_length=16)),
                ("sheet", models.CharField(max_length=32)),
                ("ended_at", models.DateTimeField()),
                ("rank", models.SmallIntegerField()),
                ("points", models.IntegerField()),
                ("deserted", models.BooleanField()),
                ("counts", models.BooleanField()),
            ],
            options={
                "db_table": "players_played",
                "indexes": [
                    models.Index(fields=["player", "ruleset", "ended_at", "game"], name="players_played_of"),
                    models.Index(
                        condition=models.Q(("counts", True)),
                        fields=["ruleset", "ended_at", "game"],
                        name="players_played_order",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game", "player", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("game", models.UUIDField()),
                ("player", models.UUIDField()),
                ("ruleset", models.CharField(max_length=16)),
                ("ended_at", models.DateTimeField()),
                ("rank", models.SmallIntegerField()),
                ("mu_before", models.FloatField()),
                ("sigma_before", models.FloatField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("games", models.IntegerField()),
                ("shown", models.IntegerField()),
                ("model", models.CharField(max_length=32)),
            ],
            options={
                "indexes": [models.Index(fields=["player", "ruleset", "ended_at", "game"], name="players_rating_of")],
            },
        ),
        migrations.CreateModel(
            name="Leaderboard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ruleset", models.CharField(max_length=16)),
                ("period", models.CharField(max_length=5)),
                ("start", models.DateField()),
                ("revision", models.UUIDField()),
            ],
            options={
                "db_table": "players_board",
                "constraints": [
                    models.UniqueConstraint(fields=("ruleset", "period", "start"), name="players_board_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="LeaderboardStanding",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "board_id", "player", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        db_index=False, on_delete=CASCADE, related_name="standings", to="players.leaderboard"
                    ),
                ),
                ("player", models.UUIDField()),
                ("games", models.IntegerField()),
                ("wins", models.IntegerField()),
                ("points", models.IntegerField()),
                ("best_score", models.IntegerField()),
                ("rating", models.IntegerField()),
            ],
            options={
                "db_table": "players_standing",
                "indexes": [
                    models.Index(fields=["board", "rating", "player"], name="players_standing_rating"),
                    models.Index(fields=["board", "wins", "player"], name="players_standing_wins"),
                    models.Index(fields=["board", "points", "player"], name="players_standing_points"),
                    models.Index(fields=["board", "best_score", "player"], name="players_standing_best_score"),
                    models.Index(fields=["player"], name="players_standing_player"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game", "projection", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("game", models.UUIDField()),
                ("projection", models.CharField(max_length=16)),
                ("status", models.CharField(max_length=8)),
            ],
        ),
        *run_sql("players.accounts", "name_search.sql"),
        *run_sql("players.sessions", "revocation.sql", "change_notifications.sql"),
        *run_sql("players.moderation", "append_only.sql"),
    ]
