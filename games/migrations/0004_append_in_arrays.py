from pathlib import Path

from django.db import migrations

HERE = Path(__file__).parent
FORMER = (HERE / "0002_append.sql").read_text()
# Backwards: the function as 0002 made it, without what else stands there.
FORMER = (
    "DROP FUNCTION games_append(jsonb, bytea, uuid[], int[], text[], smallint[], timestamptz[], jsonb, bytea, uuid[], "
    "text[], uuid[], jsonb, jsonb);\n" + FORMER[FORMER.index("CREATE FUNCTION games_append(") :]
)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_lists_of_games_that_are_over")]
    operations = [migrations.RunSQL((HERE / "0004_append_in_arrays.sql").read_text(), FORMER)]
