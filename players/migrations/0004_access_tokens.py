"""Personal access tokens: sessions with scopes and an expiry."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0003_leaderboards_of_sheets")]

    operations = [
        migrations.AddField("session", "expires_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "session",
            "scopes",
            django.contrib.postgres.fields.ArrayField(models.CharField(max_length=16), null=True),
        ),
    ]
