"""The triggers that tell listeners of changed players and revoked sessions, in the SQL file of the same name."""

from pathlib import Path

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("players", "0002_revoke")]

    operations = [
        migrations.RunSQL(
            sql=Path(__file__).with_suffix(".sql").read_text(),
            reverse_sql="DROP FUNCTION players_tell CASCADE; DROP FUNCTION players_tell_all CASCADE;",
        )
    ]
