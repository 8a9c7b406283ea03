"""`games_append` in the SQL file of the same name."""

from pathlib import Path

from django.db import migrations

HERE = Path(__file__)
BEFORE = HERE.with_name("0004_time.sql").read_text()
BEFORE = BEFORE[BEFORE.index("CREATE FUNCTION games_append") : BEFORE.index("CREATE FUNCTION games_beat")]


class Migration(migrations.Migration):
    dependencies = [("games", "0009_time_outs_by_day")]

    operations = [
        migrations.RunSQL(
            sql=HERE.with_suffix(".sql").read_text(), reverse_sql=f"DROP FUNCTION games_append; {BEFORE}"
        ),
    ]
