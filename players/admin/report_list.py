"""The list of reports, by default the open ones, and the page of one report."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from players.admin.audit_log import staff_activity
from players.admin.lists import column, short_time
from players.admin.read_only import ReadOnlyAdmin, staff_member
from players.admin.texts import EMPTY, label, lazy_text, text
from players.models import Player, Report
from players.moderation import reports

MAX_EARLIER = 10
WORKLOAD_DAYS = 30
COLOURS = {"waiting": "warning", "upheld": "danger", "dismissed": "success", "duplicate": "", "resolved": ""}


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
    staff_actions = {
        "take": "players.resolve_report",
        "release": "players.resolve_report",
        "resolve": "players.resolve_report",
    }
    list_display = ("reported_name", "reason_label", "outcome_badge", "time", "assignee", "reporter_name", "excerpt")
    list_before_template = "players/workloads.html"
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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:  # noqa: ARG002
        names = Player.objects.filter(pk=OuterRef("assigned_to")).values("name")
        return Report.objects.annotate(assigned_name=Subquery(names[:1]))

    @column("report.state", badges=COLOURS)
    def outcome_badge(self, report: Report) -> tuple[str, str]:
        if report.resolved_at is None:
            return "waiting", text("report.waiting")
        return report.outcome or "resolved", label(report.outcome or "resolved", "outcome")

    @column("report.assigned_to")
    def assignee(self, report: Any) -> str:
        return report.assigned_name or EMPTY

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        loads = reports.workloads(timezone.now() - timedelta(days=WORKLOAD_DAYS))
        shown = [(load.name, [load.outcomes.get(o, 0) for o in reports.OUTCOMES], hours(load.median)) for load in loads]
        return super().changelist_view(request, {**(extra_context or {}), "workloads": shown})

    def page_context(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:
        report = self.get_queryset(request).select_related("player", "by").filter(pk=pk).first()
        if report is None:
            return None
        return {
            "title": text("report.headline", reason=label(report.reason, "complaint")),
            "report": report,
            "outcomes": [(outcome, label(outcome, "outcome")) for outcome in reports.OUTCOMES],
            "is_mine": report.assigned_to == staff_member(request).pk,
            "earlier": _earlier(Q(player=report.player_id), pk),
            "by_reporter": _earlier(Q(by=report.by_id), pk),
            "staff_activity": staff_activity(report.player_id, MAX_EARLIER),
        }

    def perform(self, request: HttpRequest, pk: UUID, action: str) -> str:
        me = staff_member(request).pk
        if action == "resolve":
            outcome, reason = request.POST.get("outcome", ""), request.POST.get("reason", "")
            reports.resolve(pk, me, outcome, reason, timezone.now())
        else:
            reports.assign(pk, me if action == "take" else None)
        return label(action, "done")

    def success_url(self, pk: UUID) -> str:
        """The next report after one that is resolved."""
        is_open = Report.objects.filter(pk=pk, resolved_at=None).exists()
        return super().success_url(pk) if is_open else reverse("admin:players_report_changelist")


def _earlier(who: Q, apart_from: UUID) -> QuerySet[Report]:
    """The newest reports about a player, or by a player."""
    return (
        Report.objects.filter(who).exclude(pk=apart_from).select_related("player", "by").order_by("-pk")[:MAX_EARLIER]
    )


def hours(duration: timedelta) -> str:
    """
    >>> hours(timedelta(minutes=90))
    '1:30'
    """
    minutes = int(duration.total_seconds()) // 60
    return f"{minutes // 60}:{minutes % 60:02}"
