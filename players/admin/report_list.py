"""The queue of reports, and the log of what staff have done."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from players.admin.read_only import ReadOnlyAdmin, column, minute, staff, uuid_or_none
from players.admin.texts import later, said, worded
from players.models import Player, Report, StaffAction
from players.moderation import reports


class SeenTo(admin.SimpleListFilter):
    """The queue itself is what is shown unless something else is asked for."""

    title, parameter_name = later("report.state"), "state"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(state, said(f"report.{state}")) for state in ("waiting", "resolved")]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Without a choice made it is the queue: Django's "all" is one of them."""
        every, waiting, resolved = super().choices(changelist)
        chosen = self.value()
        yield {**waiting, "selected": chosen in (None, "waiting"), "query_string": every["query_string"]}
        yield resolved
        yield {**every, "selected": chosen == "all", "query_string": changelist.get_query_string({"state": "all"})}

    def queryset(self, request: Any, queryset: QuerySet[Report]) -> QuerySet[Report]:  # noqa: ARG002
        if self.value() == "all":
            return queryset
        return queryset.filter(resolved_at__isnull=self.value() != "resolved")


class ReportAdmin(ReadOnlyAdmin):
    template = "players/report.html"
    orders = {"resolve": "players.resolve_report"}
    list_display = ("when", "why", "about", "who", "words", "seen_to")
    list_select_related = ("player", "by")
    list_filter = (SeenTo,)
    ordering = ("id",)

    @column("report.when", "id")
    def when(self, report: Report) -> str | None:
        return minute(report.created_at)

    @column("report.reason")
    def why(self, report: Report) -> str:
        return worded(report.reason, "complaint")

    @column("report.about")
    def about(self, report: Report) -> str:
        return report.player.name

    @column("report.by")
    def who(self, report: Report) -> str:
        return report.by.name

    @column("report.text")
    def words(self, report: Report) -> str:
        return report.text[:80]

    @column("report.resolved")
    def seen_to(self, report: Report) -> str | None:
        return minute(report.resolved_at)

    def shown(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:  # noqa: ARG002
        report = Report.objects.select_related("player", "by").filter(pk=pk).first()
        title = said("report.headline", reason=worded(report.reason, "complaint")) if report else ""
        return {"title": title, "report": report} if report else None

    def carry_out(self, request: HttpRequest, pk: UUID, order: str) -> str:  # noqa: ARG002
        reports.resolve(pk, staff(request).pk, request.POST.get("reason", ""), timezone.now())
        return said("done.resolve")

    def where_to(self, pk: UUID) -> str:  # noqa: ARG002
        return reverse("admin:players_report_changelist")


class StaffActionAdmin(ReadOnlyAdmin):
    list_display = ("when", "deed", "on", "why", "more", "who")
    list_display_links = None
    ordering = ("-id",)
    search_fields = ("target",)
    search_help_text = later("staffaction.search")

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffAction]:  # noqa: ARG002
        return with_names(StaffAction.objects.all())

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        wanted = uuid_or_none(search_term)
        return (queryset.filter(target=wanted) | queryset.filter(by=wanted) if wanted else queryset), False

    @column("staffaction.when", "id")
    def when(self, action: StaffAction) -> str | None:
        return minute(action.at)

    @column("staffaction.what")
    def deed(self, action: StaffAction) -> str:
        return worded(action.what, "deed")

    @column("staffaction.on")
    def on(self, action: StaffAction) -> str:
        name = "admin:games_game_change" if action.kind == "game" else "admin:players_player_change"
        kind = worded(action.kind, "kind")
        return format_html('<a href="{}">{} {}</a>', reverse(name, args=[action.target]), kind, action.target)

    @column("staffaction.why")
    def why(self, action: StaffAction) -> str:
        return action.reason

    @column("staffaction.detail")
    def more(self, action: StaffAction) -> str:
        return detail(action)

    @column("staffaction.by")
    def who(self, action: Any) -> str:
        url = reverse("admin:players_player_change", args=[action.by])
        return format_html('<a href="{}">{}</a>', url, action.by_name or action.by)

    def shown(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:  # noqa: ARG002
        return None


def with_names(actions: QuerySet[StaffAction]) -> QuerySet[StaffAction]:
    """The log names who has done something by id alone; of whoever is gone nothing else is left."""
    named = Player.objects.filter(pk=OuterRef("by")).values("name")
    return actions.annotate(by_name=Subquery(named[:1]))


def actions_taken(target: UUID, most: int) -> list[StaffAction]:
    """What was done to one game or player, the newest first, in words."""
    actions = list(with_names(StaffAction.objects.filter(target=target)).order_by("-pk")[:most])
    for action in actions:
        action.what, action.detail = worded(action.what, "deed"), detail(action)
    return actions


def detail(action: StaffAction) -> str:
    """What was written down with the deed: an id, a time, or a role, which has a name."""
    return worded(action.detail, "role") if action.what == "give_role" else action.detail
