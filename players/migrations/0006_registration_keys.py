"""Idempotency keys of registrations."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0005_bot_accounts")]

    operations = [
        migrations.CreateModel(
            name="RegistrationKey",
            fields=[
                ("digest", models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                ("fingerprint", models.BinaryField(max_length=32)),
                ("session", models.UUIDField(null=True)),
                ("at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "players_registration_key",
                "indexes": [models.Index(fields=["at"], name="players_registration_key_at")],
            },
        ),
    ]
