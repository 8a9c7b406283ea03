"""The partitions of the log: made before games need them, dropped when their games are archived."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from games.log.archive.statements import rows, value

MONTHS_AHEAD = 3
MOVED_AT_MOST = 50_000  # events, while appends wait for about a second; with more the partition stays
DEFAULT = "games_event_default"
MAKE = "SELECT games_make_partitions(%s)"
HAS_FUNCTION = "SELECT to_regprocedure('games_make_partitions(int)') IS NOT NULL"
# The default partition has games of any time. The others are old when no game of theirs was created since.
OLD_PARTITIONS = """
    SELECT relid::regclass::text
      FROM pg_partition_tree('games_event'), pg_class
     WHERE isleaf AND pg_class.oid = relid
       AND (relid = 'games_event_default'::regclass
            OR substring(pg_get_expr(relpartbound, relid) FROM 'TO \\(''([0-9a-f-]{36})''\\)')::uuid
               <= games_first_id(%s))
     ORDER BY 1
"""
ARCHIVED_IN = """
    SELECT EXISTS (SELECT FROM {part} AS event JOIN games_archivedgame AS archived USING (game_id)
                    WHERE archived.version >= event.version)
"""
IS_EMPTY = "SELECT NOT EXISTS (SELECT FROM {part})"
DROP = "SELECT games_drop_partition(%s, %s)"

Said = Callable[[str], None]


def make_ahead(months: int = MONTHS_AHEAD) -> list[str]:
    """The names of those that were missing. A database that is not migrated yet has none."""
    return [row[0] for row in rows(MAKE, months)] if value(HAS_FUNCTION) else []


def old(before: datetime) -> list[str]:
    """The partitions in which no game was created since then, and the default one."""
    return [row[0] for row in rows(OLD_PARTITIONS, before)]


def drop(part: str, say: Said) -> None:
    """Drop a partition that has archived games, or an empty one; the default partition is not dropped if it is empty.

    Its events of games that are not archived are moved to the (then new) default partition, unless they are too many.
    """
    has_archived = value(ARCHIVED_IN.format(part=part))
    if not has_archived and (part == DEFAULT or not value(IS_EMPTY.format(part=part))):
        return
    with transaction.atomic():
        moved = value(DROP, part, MOVED_AT_MOST)
    if moved is None:
        say(f"{part} stays: it has more than {MOVED_AT_MOST} events that are not archived")
    else:
        say(f"{part} dropped; {moved} events of games that are not archived were moved")
