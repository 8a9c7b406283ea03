"""The queue of reports, and the log of what staff have done."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from players import moderation
from players.admin.readonly import ReadOnlyAdmin, column, staff, uuid_or_none
from players.models import Report, StaffAction


class SeenTo(admin.SimpleListFilter):
    """The queue itself is what is shown unless something else is asked for."""

    title, parameter_name = "state", "state"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [("all", "all"), ("resolved", "resolved")]

    def queryset(self, request: Any, queryset: QuerySet[Report]) -> QuerySet[Report]:  # noqa: ARG002
        if self.value() is None:
            return queryset.filter(resolved_at=None)
        return queryset.filter(resolved_at__isnull=False) if self.value() == "resolved" else queryset


class ReportAdmin(ReadOnlyAdmin):
    template = "players/report.html"
    orders = {"resolve": "players.resolve_report"}
    list_display = ("created_at", "reason", "player", "by", "words", "resolved_at")
    list_select_related = ("player", "by")
    list_filter = (SeenTo,)
    ordering = ("id",)

    @column("text")
    def words(self, report: Report) -> str:
        return report.text[:80]

    def shown(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:  # noqa: ARG002
        report = Report.objects.select_related("player", "by").filter(pk=pk).first()
        return {"title": f"Report: {report.reason}", "report": report} if report else None

    def carry_out(self, request: HttpRequest, pk: UUID, order: str) -> str:  # noqa: ARG002
        moderation.resolve(pk, staff(request).pk, request.POST.get("reason", ""), timezone.now())
        return "Resolved."

    def where_to(self, pk: UUID) -> str:  # noqa: ARG002
        return reverse("admin:players_report_changelist")


class StaffActionAdmin(ReadOnlyAdmin):
    list_display = ("at", "what", "on", "reason", "detail", "by")
    list_display_links = None
    ordering = ("-id",)
    search_fields = ("target",)
    search_help_text = "An id of a game, a player or a member of staff."

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        wanted = uuid_or_none(search_term)
        return (queryset.filter(target=wanted) | queryset.filter(by=wanted) if wanted else queryset), False

    @column("on")
    def on(self, action: StaffAction) -> str:
        name = "admin:games_game_change" if action.kind == "game" else "admin:players_player_change"
        return format_html('<a href="{}">{} {}</a>', reverse(name, args=[action.target]), action.kind, action.target)

    def shown(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:  # noqa: ARG002
        return None
