"""The list of games, searched by id, code or player, and the page of one game."""

from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.http import HttpRequest
from django.urls import path
from django.utils.html import format_html

from games import clock
from games.admin import event_pages, game_page, list_choices
from games.admin.event_sentences import bot_name
from games.admin.overview import pages, signal_page
from games.game.aggregate import OPEN
from games.log.models import Game, Seat
from players.admin.lists import ONE_COLOUR, age, column
from players.admin.read_only import ReadOnlyAdmin, staff_member
from players.admin.texts import EMPTY, label, lazy_text, text
from players.models import Player


class GameAdmin(ReadOnlyAdmin):
    template = "games/game.html"
    staff_actions = {
        "verify": "games.view_game",
        "pause": "games.control_game",
        "resume": "games.control_game",
        "abort": "games.control_game",
        "void": "games.void_game",
    }
    sensitive = ("void",)
    list_display = ("players", "status_badge", "marks", "created", "which", "last_version", "game_id")
    list_filter = list_choices.FILTERS
    ordering = ("-id",)
    search_fields = ("id",)
    search_help_text = lazy_text("game.search")

    def get_urls(self) -> list[Any]:
        site = self.admin_site
        return [
            path("statistics/", site.admin_view(pages.statistics), name="games_statistics"),
            path("statistics/<slug:name>.csv", site.admin_view(pages.csv_file), name="games_statistics_csv"),
            path("signals/", site.admin_view(signal_page.signals), name="games_signals"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:  # noqa: ARG002
        """With the names in the seats; without a column that no page shows."""
        names = Player.objects.filter(pk=OuterRef("player")).values("name")
        taken = Seat.objects.filter(game=OuterRef("pk")).order_by("seat")
        seats = taken.values(json=JSONObject(bot="bot", name=Subquery(names[:1])))
        return Game.objects.defer("head_hash").annotate(taken=ArraySubquery(seats))

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        term = search_term.strip()
        return (list_choices.search(queryset, term) if term else queryset), False

    @column("game.players")
    def players(self, game: Any) -> str:
        names = [bot_name(seat["bot"]) if seat["bot"] else seat["name"] or EMPTY for seat in game.taken]
        free = [EMPTY] * (game.seats - len(names)) if game.status == OPEN else []
        return ", ".join([*names, *free]) or EMPTY

    @column("game.status", badges=game_page.STATUS_COLOURS)
    def status_badge(self, game: Game) -> tuple[str, str]:
        return game.status, label(game.status, "status")

    @column("game.which")
    def which(self, game: Game) -> str:
        return f"{label(game.ruleset, 'ruleset')}, {label(game.sheet, 'sheet')}"

    @column("game.marks", badges=ONE_COLOUR)
    def marks(self, game: Game) -> list[str]:
        rated = [text("game.is_rated")] if game.rated else []
        return [*rated, *([label("private", "visibility")] if game.visibility == "private" else [])] or [EMPTY]

    @column("game.version")
    def last_version(self, game: Game) -> int:
        return game.version

    @column("game.age", "id")
    def created(self, game: Game) -> str:
        return age(game.created_at, clock.now())

    @column("game.id")
    def game_id(self, game: Game) -> str:
        """The end of an id is random, and its start is much the same for games of one day."""
        return format_html('<span class="qx-mono" title="{}">…{}</span>', game.id, str(game.id)[-8:])

    def page_context(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:
        return game_page.page_context(pk, event_pages.chosen(request.GET))

    def perform(self, request: HttpRequest, pk: UUID, action: str) -> str:
        if action == "verify":
            return game_page.verify(pk)
        return game_page.perform(pk, action, request.POST.get("reason", ""), staff_member(request).pk)
