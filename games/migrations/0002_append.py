"""The log's guards and `append()`, in the SQL file of the same name."""

from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial"), ("players", "0001_initial")]

    operations = [
        migrations.RunSQL(
            sql=Path(__file__).with_suffix(".sql").read_text(),
            reverse_sql="""
                DROP FUNCTION games_append;
                DROP FUNCTION IF EXISTS games_log;
                DROP TRIGGER games_event_append_only ON games_event;
                DROP FUNCTION games_event_refuse;
            """,
        )
    ]
