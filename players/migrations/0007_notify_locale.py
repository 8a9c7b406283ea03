"""A change of a player's language reaches the caches of all processes."""

from django.db import migrations

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("players", "0006_registration_keys")]

    operations = run_sql("players.sessions", "locale_notifications.sql")
