"""The public games that ended in a period, in the order of their ends, for dumps."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from games.log.models import ArchivedGame, StoredEvent

CHUNK = 1000  # ids in memory


class EndedGame(NamedTuple):
    game: UUID
    version: int  # of the event `game_ended`


def ended(since: datetime, before: datetime) -> Iterator[EndedGame]:
    """By the event that ended them: what happens to a game later does not change this list."""
    ends = StoredEvent.objects.filter(type="game_ended", at__gte=since, at__lt=before, game__visibility="public")
    archived = ArchivedGame.objects.filter(end_at__gte=since, end_at__lt=before, game__visibility="public")
    rows = ends.values_list("at", "game_id", "version").union(archived.values_list("end_at", "game_id", "end_version"))
    return (EndedGame(*row[1:]) for row in rows.order_by("at", "game_id").iterator(CHUNK))
