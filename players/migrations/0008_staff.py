"""Triggers that tell of bans and guard the log of staff, and an index for names, in the SQL file of the same name."""

from pathlib import Path

from django.db import migrations

UNDO = """
DROP FUNCTION players_tell_ban CASCADE;
DROP FUNCTION players_refuse_change CASCADE;
DROP INDEX players_player_called;
"""


class Migration(migrations.Migration):
    dependencies = [("players", "0007_moderation")]

    operations = [migrations.RunSQL(sql=Path(__file__).with_suffix(".sql").read_text(), reverse_sql=UNDO)]
