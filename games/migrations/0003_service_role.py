"""The functions through which the role of the service writes to the log and reads seeds."""

from django.db import migrations

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("games", "0002_roles")]

    operations = run_sql("games.log", "service_functions.sql")
