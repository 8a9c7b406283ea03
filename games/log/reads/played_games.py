"""The finished games of one player in the order of their ends, for streams that are resumed: keys first, then pages."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from games.log.models import Seat
from games.log.reads.game_filters import GameFilters, seats
from games.log.reads.summaries import Json, summaries, with_details


class GameKey(NamedTuple):
    """The place of a finished game in the order."""

    ended_at: datetime
    game: UUID


def keys(filters: GameFilters, player: UUID, after: GameKey | None, until: datetime, limit: int) -> list[GameKey]:
    """The first of them after a key that ended before a time."""
    rows = seats(filters._replace(mine=True, status=("finished",)), player).filter(game__ended_at__lt=until)
    if after is not None:
        later = Q(game__ended_at__gt=after.ended_at) | Q(game__ended_at=after.ended_at, game__gt=after.game)
        rows = rows.filter(later)
    found: Any = rows.order_by("game__ended_at", "game_id").values_list("game__ended_at", "game_id")[:limit]
    return [GameKey(*row) for row in found]


def page(wanted: list[GameKey], player: UUID) -> list[Json]:
    """The summaries of these games, in this order; one that was voided meanwhile is left out."""
    games = [key.game for key in wanted]
    own = Seat.objects.filter(player=player, game__in=games, game__status="finished").select_related("game")
    found = {UUID(each["id"]): each for each in summaries(with_details(own, "game"), player)}
    return [found[game] for game in games if game in found]
