"""The public games that ended in a period, in the order of their ends, for dumps."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from games.log.models import StoredEvent

CHUNK = 1000  # ids in memory


class EndedGame(NamedTuple):
    game: UUID
    version: int  # of the event `game_ended`


def ended(since: datetime, before: datetime) -> Iterator[EndedGame]:
    """By the event that ended them: what happens to a game later does not change this list."""
    ends = StoredEvent.objects.filter(type="game_ended", at__gte=since, at__lt=before, game__visibility="public")
    rows = ends.order_by("at", "game_id").values_list("game_id", "version")
    return (EndedGame(*row) for row in rows.iterator(CHUNK))
