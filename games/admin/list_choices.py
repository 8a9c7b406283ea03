"""The filters of the list of games and its search."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from games import clock
from games.game.aggregate import ABORTED, FINISHED, OPEN, PLAYING, VOIDED
from games.log.models import ArchivedGame, Game, Seat, StoredEvent
from games.rules.registry import RULESETS
from players.admin.list_filters import ChoiceFilter, FieldFilter, FromFilter, ToFilter, YesNoFilter
from players.admin.lists import uuid_or_none
from players.admin.texts import lazy_text
from players.database.ids import earliest
from players.social import name_search

MAX_PLAYERS_BY_NAME = 50
END_REASONS = ("two_rows_closed", "four_penalties", "two_rows_filled", "four_fails", "last_seat_standing")
REASON_DAYS = 30  # in which the reason of an end is looked for, unless the first day is given


class StatusFilter(ChoiceFilter):
    title, parameter_name, values = lazy_text("game.status"), "status", (OPEN, PLAYING, FINISHED, ABORTED, VOIDED)


class RulesetFilter(ChoiceFilter):
    title, parameter_name, values = lazy_text("game.ruleset"), "ruleset", tuple(RULESETS)


class SheetFilter(ChoiceFilter):
    title, parameter_name = lazy_text("game.sheet"), "sheet"
    values = tuple(dict.fromkeys(sheet for ruleset in RULESETS.values() for sheet in ruleset.sheets))


class VisibilityFilter(ChoiceFilter):
    title, parameter_name, values = lazy_text("game.visibility"), "visibility", ("public", "private")


class RatedFilter(YesNoFilter):
    title, parameter_name = lazy_text("game.rated"), "rated"


class EndReasonFilter(ChoiceFilter):
    """The reason is in the last event, which no index contains: so only the games of some days are read."""

    title, parameter_name, values, table = lazy_text("game.end_reason"), "reason", END_REASONS, "reason"

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:
        found = super().queryset(request, queryset)
        if found is queryset or request.GET.get("from"):
            return found
        return found.filter(pk__gte=earliest(clock.now() - timedelta(days=REASON_DAYS)))

    def filtered(self, queryset: QuerySet[Any], choice: str) -> QuerySet[Any]:
        ends = StoredEvent.objects.filter(game=OuterRef("pk"), type="game_ended", data__reason=choice)
        archived = ArchivedGame.objects.filter(game=OuterRef("pk"), end_data__reason=choice)
        return queryset.filter(Exists(ends) | Exists(archived), status__in=(FINISHED, VOIDED))


class PlayerFilter(FieldFilter):
    title, parameter_name = lazy_text("game.player"), "player"

    def filtered(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
        return queryset.filter(pk__in=games_of(typed))


FILTERS = (
    *(StatusFilter, FromFilter, ToFilter, PlayerFilter, RulesetFilter, SheetFilter),
    *(EndReasonFilter, RatedFilter, VisibilityFilter),
)


def search(games: QuerySet[Game], term: str) -> QuerySet[Game]:
    """By the id or the code of a game, or else by the id or a part of the name of a player.

    One question after the other: a condition with OR would be checked for every game.
    """
    wanted = uuid_or_none(term)
    exact = games.filter(pk=wanted) if wanted else games.filter(code=term.upper())
    return exact if exact.exists() else games.filter(pk__in=games_of(term))


def games_of(player: str) -> QuerySet[Seat, Any]:
    """The games of one player, or of the first players with such a name."""
    wanted = uuid_or_none(player)
    players: list[UUID] = [wanted] if wanted else _players_by_name(player)
    return Seat.objects.filter(player__in=players).values("game")


def _players_by_name(name: str) -> list[UUID]:
    return list(name_search.search(name).values_list("pk", flat=True)[:MAX_PLAYERS_BY_NAME])
