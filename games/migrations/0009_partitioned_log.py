"""The log as a partitioned table."""

from django.db import migrations

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("games", "0008_validate_bound")]
    safe_because = (
        "the partitioned table takes the name and the columns of the former one in the same transaction, which reads no row; "
        "functions and queries of the last release find it by its name"
    )

    operations = run_sql("games.log", "partition_swap.sql")
