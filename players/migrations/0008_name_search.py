"""Indexes of names for the search of staff; the one for parts of names needs the extension pg_trgm."""

from django.db import migrations, transaction
from django.db.utils import DatabaseError

from players.database.sql_files import run_sql

NAME_START = """
CREATE INDEX CONCURRENTLY IF NOT EXISTS players_player_name_start
    ON players_player (players_searchable(name) text_pattern_ops)
"""
# In a schema of its own, as its functions belong to the superuser. An operator may have created it elsewhere.
EXTENSION = """
CREATE SCHEMA IF NOT EXISTS extensions;
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA extensions
"""
HOME = "SELECT opcnamespace::regnamespace::text FROM pg_opclass WHERE opcname = 'gin_trgm_ops'"
NAME_PARTS = """
CREATE INDEX CONCURRENTLY IF NOT EXISTS players_player_name_parts
    ON players_player USING gin (players_searchable(name) {}.gin_trgm_ops)
"""
MISSING = "The extension pg_trgm could not be created: staff find players by the start of their names only."


def index_parts(_apps, schema_editor):
    """A trusted extension: the owner of the database may create it, if the server has it."""
    connection = schema_editor.connection
    try:
        with transaction.atomic(connection.alias), connection.cursor() as cursor:
            cursor.execute(EXTENSION)
            cursor.execute(HOME)
            (home,) = cursor.fetchone()
    except DatabaseError:
        print(MISSING)
    else:
        schema_editor.execute(NAME_PARTS.format(home))


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("players", "0007_notify_locale")]

    operations = [
        *run_sql("players.social", "searchable_names.sql"),
        migrations.RunSQL(NAME_START, migrations.RunSQL.noop),
        migrations.RunPython(index_parts, migrations.RunPython.noop),
    ]
