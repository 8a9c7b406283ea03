"""PostgreSQL refuses to empty the record of staff actions."""

from django.db import migrations

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]

    operations = run_sql("players.moderation", "refuse_truncate.sql")
