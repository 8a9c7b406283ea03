"""The list of reports, by default the open ones, and the page of one report."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from players.admin.lists import column, short_time
from players.admin.read_only import ReadOnlyAdmin, staff_member
from players.admin.texts import label, lazy_text, text
from players.models import Report
from players.moderation import reports


class ReportStateFilter(admin.SimpleListFilter):
    """Shows open reports unless another state is chosen."""

    title, parameter_name = lazy_text("report.state"), "state"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(state, text(f"report.{state}")) for state in ("waiting", "resolved")]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Django's choice without a parameter means all rows; here it means open reports, and "all" has a parameter."""
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
    staff_actions = {"resolve": "players.resolve_report"}
    list_display = ("time", "reason_label", "reported_name", "reporter_name", "excerpt", "resolved_time")
    list_select_related = ("player", "by")
    list_filter = (ReportStateFilter,)
    ordering = ("id",)

    @column("report.when", "id")
    def time(self, report: Report) -> str | None:
        return short_time(report.created_at)

    @column("report.reason")
    def reason_label(self, report: Report) -> str:
        return label(report.reason, "complaint")

    @column("report.about")
    def reported_name(self, report: Report) -> str:
        return report.player.name

    @column("report.by")
    def reporter_name(self, report: Report) -> str:
        return report.by.name

    @column("report.text")
    def excerpt(self, report: Report) -> str:
        return report.text[:80]

    @column("report.resolved")
    def resolved_time(self, report: Report) -> str | None:
        return short_time(report.resolved_at)

    def page_context(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:  # noqa: ARG002
        report = Report.objects.select_related("player", "by").filter(pk=pk).first()
        title = text("report.headline", reason=label(report.reason, "complaint")) if report else ""
        return {"title": title, "report": report} if report else None

    def perform(self, request: HttpRequest, pk: UUID, action: str) -> str:  # noqa: ARG002
        reports.resolve(pk, staff_member(request).pk, request.POST.get("reason", ""), timezone.now())
        return text("done.resolve")

    def success_url(self, pk: UUID) -> str:  # noqa: ARG002
        return reverse("admin:players_report_changelist")
