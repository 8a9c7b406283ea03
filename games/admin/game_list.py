"""The list of games, and the way from it to one of them; found by id, by code or by who sits there."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from games.admin import game_page
from games.game.aggregate import ABORTED, FINISHED, OPEN, PLAYING, VOIDED
from games.log.models import Game, Seat
from games.rules.registry import RULESETS
from players.admin.read_only import ReadOnlyAdmin, column, minute, staff, uuid_or_none
from players.admin.texts import later, said, worded
from players.models import Player

PLAYERS_OF_A_NAME = 50


class ChoiceFilter(admin.SimpleListFilter):
    """A filter that knows its choices: Django's own would look through all games for them."""

    choices_of: tuple[str, ...] = ()

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(choice, worded(choice, str(self.parameter_name))) for choice in self.choices_of]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() else queryset


class StatusFilter(ChoiceFilter):
    title, parameter_name, choices_of = later("game.status"), "status", (OPEN, PLAYING, FINISHED, ABORTED, VOIDED)


class RulesetFilter(ChoiceFilter):
    title, parameter_name, choices_of = later("game.ruleset"), "ruleset", tuple(RULESETS)


class VisibilityFilter(ChoiceFilter):
    title, parameter_name, choices_of = later("game.visibility"), "visibility", ("public", "private")


class RatedFilter(admin.SimpleListFilter):
    title, parameter_name = later("game.rated"), "rated"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(answer, said(f"word.{answer}")) for answer in ("yes", "no")]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        return queryset.filter(rated=self.value() == "yes") if self.value() in ("yes", "no") else queryset


class GameAdmin(ReadOnlyAdmin):
    template = "games/table.html"
    orders = {
        "verify": "games.view_game",
        "pause": "games.control_game",
        "resume": "games.control_game",
        "abort": "games.control_game",
        "void": "games.void_game",
    }
    list_display = ("identity", "which", "standing", "seen_by", "counts", "seated", "length", "waits", "since")
    list_filter = (StatusFilter, RulesetFilter, VisibilityFilter, RatedFilter)
    ordering = ("-id",)
    search_fields = ("id",)
    search_help_text = later("game.search")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:  # noqa: ARG002
        """Without the folded states: only the engine reads them."""
        return Game.objects.defer("head_hash")

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        term = search_term.strip()
        if not term:
            return queryset, False
        wanted = uuid_or_none(term)
        players = [wanted] if wanted else _called(term)
        seats = Seat.objects.filter(player__in=players).values("game")
        return queryset.filter(Q(pk=wanted) | Q(code=term.upper()) | Q(pk__in=seats)), False

    @column("game.id", "id")
    def identity(self, game: Game) -> UUID:
        return game.id

    @column("game.which")
    def which(self, game: Game) -> str:
        return f"{worded(game.ruleset, 'ruleset')}, {worded(game.sheet, 'sheet')}"

    @column("game.status")
    def standing(self, game: Game) -> str:
        return worded(game.status, "status")

    @column("game.visibility")
    def seen_by(self, game: Game) -> str:
        return worded(game.visibility, "visibility")

    @column("game.rated")
    def counts(self, game: Game) -> bool:
        return game.rated

    counts.boolean = True

    @column("game.seats")
    def seated(self, game: Game) -> int:
        return game.seats

    @column("game.version")
    def length(self, game: Game) -> int:
        return game.version

    @column("game.deadline")
    def waits(self, game: Game) -> str | None:
        return minute(game.deadline_at)

    @column("game.created", "id")
    def since(self, game: Game) -> str | None:
        return minute(game.created_at)

    def shown(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:
        return game_page.shown(pk, request.GET.get("version", ""))

    def carry_out(self, request: HttpRequest, pk: UUID, order: str) -> str:
        if order == "verify":
            return game_page.verified(pk)
        return game_page.carry_out(pk, order, request.POST.get("reason", ""), staff(request).pk)


def _called(name: str) -> list[UUID]:
    return list(Player.objects.filter(name__istartswith=name).values_list("pk", flat=True)[:PLAYERS_OF_A_NAME])
