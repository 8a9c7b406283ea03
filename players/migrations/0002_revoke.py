"""The function that revokes sessions, in the SQL file of the same name."""

from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]

    operations = [
        migrations.RunSQL(
            sql=Path(__file__).with_suffix(".sql").read_text(),
            reverse_sql="DROP FUNCTION players_session_revoke; DROP FUNCTION players_session_lock;",
        )
    ]
