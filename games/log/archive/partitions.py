"""Makes the partitions of the log before games need them."""

from django.db import connection

MONTHS_AHEAD = 3
MAKE = "SELECT games_make_partitions(%s)"
HAS_FUNCTION = "SELECT to_regprocedure('games_make_partitions(int)') IS NOT NULL"


def make_ahead(months: int = MONTHS_AHEAD) -> list[str]:
    """The names of those that were missing. A database that is not migrated yet has none."""
    with connection.cursor() as cursor:
        cursor.execute(HAS_FUNCTION)
        if not cursor.fetchone()[0]:
            return []
        cursor.execute(MAKE, [months])
        return [row[0] for row in cursor.fetchall()]
