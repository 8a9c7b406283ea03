"""The audit log: the list of all staff actions, and those on one game or player."""

from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from players.admin.lists import column, short_time, uuid_or_none
from players.admin.read_only import ReadOnlyAdmin
from players.admin.texts import label, lazy_text, text
from players.models import Player, StaffAction
from players.moderation.staff_actions import OPERATOR


class StaffActionAdmin(ReadOnlyAdmin):
    list_display = ("time", "action_label", "target_link", "given_reason", "detail_label", "actor_link")
    list_display_links = None
    ordering = ("-id",)
    search_fields = ("target",)
    search_help_text = lazy_text("staffaction.search")

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffAction]:  # noqa: ARG002
        return with_names(StaffAction.objects.all())

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        wanted = uuid_or_none(search_term)
        return (queryset.filter(target=wanted) | queryset.filter(by=wanted) if wanted else queryset), False

    @column("staffaction.when", "id")
    def time(self, action: StaffAction) -> str | None:
        return short_time(action.at)

    @column("staffaction.what")
    def action_label(self, action: StaffAction) -> str:
        return label(action.what, "deed")

    @column("staffaction.on")
    def target_link(self, action: StaffAction) -> str:
        name = "admin:games_game_change" if action.kind == "game" else "admin:players_player_change"
        kind = label(action.kind, "kind")
        return format_html('<a href="{}">{} {}</a>', reverse(name, args=[action.target]), kind, action.target)

    @column("staffaction.why")
    def given_reason(self, action: StaffAction) -> str:
        return action.reason

    @column("staffaction.detail")
    def detail_label(self, action: StaffAction) -> str:
        return detail(action)

    @column("staffaction.by")
    def actor_link(self, action: Any) -> str:
        if action.by == OPERATOR:
            return text("staffaction.operator")
        url = reverse("admin:players_player_change", args=[action.by])
        return format_html('<a href="{}">{}</a>', url, action.by_name or action.by)

    def page_context(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:  # noqa: ARG002
        return None


def with_names(actions: QuerySet[StaffAction]) -> QuerySet[StaffAction]:
    """Adds the names of the actors; the log has only ids, and the name of an erased player is gone."""
    names = Player.objects.filter(pk=OuterRef("by")).values("name")
    return actions.annotate(by_name=Subquery(names[:1]))


def staff_activity(target: UUID, limit: int) -> list[StaffAction]:
    """The newest actions on one game or player, labelled for display."""
    actions: list[Any] = list(with_names(StaffAction.objects.filter(target=target)).order_by("-pk")[:limit])
    for action in actions:
        action.is_by_operator = action.by == OPERATOR
        action.what, action.detail = label(action.what, "deed"), detail(action)
    return actions


def detail(action: StaffAction) -> str:
    """The detail of an action: an id, a time, or a role, which has a label."""
    return label(action.detail, "role") if action.what == "give_role" else action.detail
