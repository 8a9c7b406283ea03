"""The filters of lists of games, as queries; docs/lists.md names the index that serves each of them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet

from games.game.values import Value
from games.log.models import Game, Seat
from games.log.reads import game_lists
from games.log.reads.summaries import with_details

STATUSES = ("open", "playing", "finished", "aborted", "voided")
OVER = ("finished", "aborted", "voided")


class GameFilters(Value, frozen=True):
    """What a caller looks for; a filter that is not given is None, empty or False."""

    status: tuple[str, ...] = ()
    ruleset: str | None = None
    sheet: str | None = None
    rated: bool | None = None
    player: UUID | None = None
    mine: bool = False
    waiting: bool = False
    ended_after: datetime | None = None  # at this time or later
    ended_before: datetime | None = None

    @property
    def is_by_end(self) -> bool:
        """Whether the list is sorted by the end of its games, so that an index serves the range."""
        return self.ended_after is not None or self.ended_before is not None

    @property
    def is_by_seat(self) -> bool:
        """Whether the list is read along the seats of one player, so that a page costs only what it shows."""
        return self.mine or self.waiting or self.player is not None


def games(filters: GameFilters) -> QuerySet[Game]:
    """Public games, for filters that name no player."""
    return with_details(Game.objects.filter(visibility="public", **_conditions(filters, "")), "pk")


def seats(filters: GameFilters, viewer: UUID) -> QuerySet[Seat]:
    """The seats of a player in games that the viewer may see, each with its game."""
    rows = _seats(filters, viewer).filter(**_conditions(filters, "game__")).select_related("game")
    return with_details(rows.annotate(ended_at=F("game__ended_at")), "game")


def _seats(filters: GameFilters, viewer: UUID) -> QuerySet[Seat]:
    if filters.player is not None and not (filters.mine or filters.waiting):
        return game_lists.seats_seen_by(filters.player, viewer)
    own = game_lists.waiting_seats(viewer) if filters.waiting else Seat.objects.filter(player=viewer)
    if filters.player is None:
        return own
    return own.filter(Exists(Seat.objects.filter(player=filters.player, game=OuterRef("game"))))


def _conditions(filters: GameFilters, path: str) -> dict[str, Any]:
    """Partial indexes contain the status: a game with an end is over, and the query has to say so."""
    statuses = filters.status or (OVER if filters.is_by_end else ())
    conditions = {
        "status__in": [status for status in statuses if status in OVER or not filters.is_by_end] if statuses else None,
        "ruleset": filters.ruleset,
        "sheet": filters.sheet,
        "rated": filters.rated,
        "ended_at__gte": filters.ended_after,
        "ended_at__lt": filters.ended_before,
    }
    return {path + name: value for name, value in conditions.items() if value is not None}
