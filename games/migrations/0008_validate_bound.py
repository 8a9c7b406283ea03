"""Reads the whole log once, while games go on: the lock lets other transactions read and append."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0007_partition_functions")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE games_event VALIDATE CONSTRAINT games_event_bound", migrations.RunSQL.noop
        )
    ]
