"""The list of games, and the way from it to one of them; found by id, by code or by who sits there."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from games.admin import table
from games.game import ABORTED, FINISHED, OPEN, PLAYING, VOIDED
from games.models import Game, Seat
from games.rules.registry import RULESETS
from players.admin.readonly import ReadOnlyAdmin, column, staff, uuid_or_none
from players.models import Player

PLAYERS_OF_A_NAME = 50


class ChoiceFilter(admin.SimpleListFilter):
    """A filter that knows its choices: Django's own would look through all games for them."""

    choices_of: tuple[str, ...] = ()

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(choice, choice) for choice in self.choices_of]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() else queryset


class StatusFilter(ChoiceFilter):
    title, parameter_name, choices_of = "status", "status", (OPEN, PLAYING, FINISHED, ABORTED, VOIDED)


class RulesetFilter(ChoiceFilter):
    title, parameter_name, choices_of = "ruleset", "ruleset", tuple(RULESETS)


class VisibilityFilter(ChoiceFilter):
    title, parameter_name, choices_of = "visibility", "visibility", ("public", "private")


class GameAdmin(ReadOnlyAdmin):
    template = "games/table.html"
    orders = {
        "verify": "games.view_game",
        "pause": "games.control_game",
        "resume": "games.control_game",
        "abort": "games.control_game",
        "void": "games.void_game",
    }
    list_display = (
        "id",
        "ruleset",
        "sheet",
        "status",
        "visibility",
        "rated",
        "seated",
        "version",
        "waits",
        "created_at",
    )
    list_filter = (StatusFilter, RulesetFilter, VisibilityFilter, "rated")
    ordering = ("-id",)
    search_fields = ("id",)
    search_help_text = "An id or code of a game, an id or name of a player."

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:  # noqa: ARG002
        """Without the folded states: only the engine reads them."""
        return Game.objects.defer("state", "head_hash")

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        term = search_term.strip()
        if not term:
            return queryset, False
        wanted = uuid_or_none(term)
        players = [wanted] if wanted else _called(term)
        seats = Seat.objects.filter(player__in=players).values("game")
        return queryset.filter(Q(pk=wanted) | Q(code=term.upper()) | Q(pk__in=seats)), False

    @column("seats")
    def seated(self, game: Game) -> str:
        return str(game.seats)

    @column("deadline")
    def waits(self, game: Game) -> Any:
        return game.deadline_at

    def shown(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:
        return table.shown(pk, request.GET.get("version", ""))

    def carry_out(self, request: HttpRequest, pk: UUID, order: str) -> str:
        if order == "verify":
            return table.verified(pk)
        return table.carry_out(pk, order, request.POST.get("reason", ""), staff(request).pk)


def _called(name: str) -> list[UUID]:
    return list(Player.objects.filter(name__istartswith=name).values_list("pk", flat=True)[:PLAYERS_OF_A_NAME])
