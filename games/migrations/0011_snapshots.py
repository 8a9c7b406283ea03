"""Folded states in a table of their own; `games_append` in the SQL file of the same name."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

HERE = Path(__file__)
BEFORE = HERE.with_name("0010_append_in_columns.sql").read_text()
BEFORE = BEFORE[BEFORE.index("CREATE FUNCTION games_append") :]
# Going back, no state is kept: the log is read instead.
COLUMNS_AGAIN = """
    ALTER TABLE games_game ADD COLUMN state bytea NOT NULL DEFAULT '', ADD COLUMN state_schema smallint NOT NULL DEFAULT -1;
    ALTER TABLE games_game ALTER COLUMN state DROP DEFAULT, ALTER COLUMN state_schema DROP DEFAULT;
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0010_append_in_columns")]

    operations = [
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("version", models.IntegerField()),
                ("schema", models.SmallIntegerField()),
                ("state", models.BinaryField()),
            ],
        ),
        migrations.RunSQL(
            sql=HERE.with_suffix(".sql").read_text(), reverse_sql=f"DROP FUNCTION games_append; {BEFORE}"
        ),
        migrations.RunSQL(
            sql="ALTER TABLE games_game DROP COLUMN state, DROP COLUMN state_schema",
            reverse_sql=COLUMNS_AGAIN,
            state_operations=[
                migrations.RemoveField(model_name="game", name="state"),
                migrations.RemoveField(model_name="game", name="state_schema"),
            ],
        ),
    ]
