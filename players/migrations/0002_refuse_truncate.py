"""Refuses TRUNCATE of staff actions, as UPDATE and DELETE are refused."""

from django.db import migrations

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]

    operations = [*run_sql("players.moderation", "refuse_truncate.sql")]
