"""The functions that make partitions of the log, and the bound of what is stored so far."""

from django.db import migrations

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("games", "0006_pulse_and_leases")]

    operations = run_sql("games.log", "partitions.sql", "partition_bound.sql")
