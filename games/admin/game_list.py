"""The list of games, searched by id, code or player, and the page of one game."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from games.admin import game_page
from games.game.aggregate import ABORTED, FINISHED, OPEN, PLAYING, VOIDED
from games.log.models import Game, Seat
from games.rules.registry import RULESETS
from players.admin.lists import column, short_time, uuid_or_none
from players.admin.read_only import ReadOnlyAdmin, staff_member
from players.admin.texts import label, lazy_text, text
from players.models import Player

MAX_PLAYERS_BY_NAME = 50


class ChoiceFilter(admin.SimpleListFilter):
    """A filter with fixed choices; Django's own filters would scan all games for them."""

    values: tuple[str, ...] = ()

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(choice, label(choice, str(self.parameter_name))) for choice in self.values]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() else queryset


class StatusFilter(ChoiceFilter):
    title, parameter_name, values = lazy_text("game.status"), "status", (OPEN, PLAYING, FINISHED, ABORTED, VOIDED)


class RulesetFilter(ChoiceFilter):
    title, parameter_name, values = lazy_text("game.ruleset"), "ruleset", tuple(RULESETS)


class VisibilityFilter(ChoiceFilter):
    title, parameter_name, values = lazy_text("game.visibility"), "visibility", ("public", "private")


class RatedFilter(admin.SimpleListFilter):
    title, parameter_name = lazy_text("game.rated"), "rated"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(answer, text(f"word.{answer}")) for answer in ("yes", "no")]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002
        return queryset.filter(rated=self.value() == "yes") if self.value() in ("yes", "no") else queryset


class GameAdmin(ReadOnlyAdmin):
    template = "games/game.html"
    staff_actions = {
        "verify": "games.view_game",
        "pause": "games.control_game",
        "resume": "games.control_game",
        "abort": "games.control_game",
        "void": "games.void_game",
    }
    list_display = (
        *("game_id", "ruleset_and_sheet", "status_label", "visibility_label", "is_rated"),
        *("seat_count", "last_version", "deadline", "created"),
    )
    list_filter = (StatusFilter, RulesetFilter, VisibilityFilter, RatedFilter)
    ordering = ("-id",)
    search_fields = ("id",)
    search_help_text = lazy_text("game.search")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:  # noqa: ARG002
        """Defers a column that no page shows."""
        return Game.objects.defer("head_hash")

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        term = search_term.strip()
        if not term:
            return queryset, False
        wanted = uuid_or_none(term)
        players = [wanted] if wanted else _players_by_name(term)
        seats = Seat.objects.filter(player__in=players).values("game")
        return queryset.filter(Q(pk=wanted) | Q(code=term.upper()) | Q(pk__in=seats)), False

    @column("game.id", "id")
    def game_id(self, game: Game) -> UUID:
        return game.id

    @column("game.which")
    def ruleset_and_sheet(self, game: Game) -> str:
        return f"{label(game.ruleset, 'ruleset')}, {label(game.sheet, 'sheet')}"

    @column("game.status")
    def status_label(self, game: Game) -> str:
        return label(game.status, "status")

    @column("game.visibility")
    def visibility_label(self, game: Game) -> str:
        return label(game.visibility, "visibility")

    @column("game.rated")
    def is_rated(self, game: Game) -> bool:
        return game.rated

    is_rated.boolean = True

    @column("game.seats")
    def seat_count(self, game: Game) -> int:
        return game.seats

    @column("game.version")
    def last_version(self, game: Game) -> int:
        return game.version

    @column("game.deadline")
    def deadline(self, game: Game) -> str | None:
        return short_time(game.deadline_at)

    @column("game.created", "id")
    def created(self, game: Game) -> str | None:
        return short_time(game.created_at)

    def page_context(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:
        return game_page.page_context(pk, request.GET.get("version", ""))

    def perform(self, request: HttpRequest, pk: UUID, action: str) -> str:
        if action == "verify":
            return game_page.verify(pk)
        return game_page.perform(pk, action, request.POST.get("reason", ""), staff_member(request).pk)


def _players_by_name(name: str) -> list[UUID]:
    return list(Player.objects.filter(name__istartswith=name).values_list("pk", flat=True)[:MAX_PLAYERS_BY_NAME])
