"""The audit log: the list of all staff actions with its filters, export and verification, and those on one row."""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from players import extensions
from players.admin import csv_files
from players.admin.list_filters import ChoiceFilter, FieldFilter, FromFilter, ToFilter
from players.admin.lists import CountedChangeList, column, short_time, uuid_or_none
from players.admin.read_only import ReadOnlyAdmin
from players.admin.texts import EMPTY, label, lazy_text, text
from players.models import Player, StaffAction
from players.moderation import action_chain
from players.moderation.bans import PERMANENT
from players.moderation.staff_actions import OPERATOR, WHAT
from players.social import name_search

MAX_PLAYERS_BY_NAME = 50
COLUMNS = ("time", "action_label", "target_link", "given_reason", "change", "actor_link")


class ActionFilter(ChoiceFilter):
    title, parameter_name, values, table = lazy_text("staffaction.what"), "what", WHAT, "deed"


class ActorFilter(FieldFilter):
    title, parameter_name = lazy_text("staffaction.by"), "by"

    def filtered(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
        return queryset.filter(by__in=_players(typed))


class ActionFromFilter(FromFilter):
    field = "at"


class ActionToFilter(ToFilter):
    field = "at"


class AuditChangeList(CountedChangeList):
    """Adds the names of the games on the page with one query; the log has only ids."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        with_game_names(self.result_list)


class StaffActionAdmin(ReadOnlyAdmin):
    list_display = COLUMNS
    list_display_links = None
    list_filter = (ActionFilter, ActorFilter, ActionFromFilter, ActionToFilter)
    list_before_template = "players/audit_tools.html"
    ordering = ("-id",)
    search_fields = ("target",)
    search_help_text = lazy_text("staffaction.search")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[CountedChangeList]:  # noqa: ARG002
        return AuditChangeList

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffAction]:  # noqa: ARG002
        return with_names(StaffAction.objects.all())

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        term = search_term.strip()
        if not term:
            return queryset, False
        players = _players(term)
        return queryset.filter(Q(target__in=players) | Q(by__in=players) | Q(reason__icontains=term)), False

    def get_urls(self) -> list[Any]:
        export, verify = self.admin_site.admin_view(self.export), self.admin_site.admin_view(self.verify)
        return [
            path("export/", export, name="players_staffaction_export"),
            path("verify/", require_POST(verify), name="players_staffaction_verify"),
            *super().get_urls(),
        ]

    def export(self, request: HttpRequest) -> HttpResponseBase:
        """The rows that the filters let through, as a CSV file."""
        self.check_view_permission(request)
        actions: QuerySet[Any] = self.get_changelist_instance(request).queryset[: csv_files.MAX_ROWS]
        header = [text(f"staffaction.{name}") for name in ("when", "what", "on", "why", "change", "by", "hash")]
        return csv_files.response("audit-log", header, map(_csv_row, with_game_names(actions)))

    def verify(self, request: HttpRequest) -> HttpResponse:
        self.check_view_permission(request)
        flaw = action_chain.first_flaw()
        if flaw is None:
            self.message_user(request, text("staffaction.sound"), messages.SUCCESS)
        else:
            self.message_user(request, text("staffaction.unsound", position=flaw), messages.ERROR)
        return HttpResponseRedirect(reverse("admin:players_staffaction_changelist"))

    @column("staffaction.when", "id")
    def time(self, action: StaffAction) -> str | None:
        return short_time(action.at)

    @column("staffaction.what")
    def action_label(self, action: StaffAction) -> str:
        return label(action.what, "deed")

    @column("staffaction.on")
    def target_link(self, action: Any) -> str:
        name = "admin:games_game_change" if action.kind == "game" else "admin:players_player_change"
        return format_html('<a href="{}">{}</a>', reverse(name, args=[action.target]), target_name(action))

    @column("staffaction.why")
    def given_reason(self, action: StaffAction) -> str:
        return action.reason

    @column("staffaction.change")
    def change(self, action: StaffAction) -> str:
        return change_text(action) or EMPTY

    @column("staffaction.by")
    def actor_link(self, action: Any) -> str:
        if action.by == OPERATOR:
            return text("staffaction.operator")
        url = reverse("admin:players_player_change", args=[action.by])
        return format_html('<a href="{}">{}</a>', url, actor_name(action))

    def page_context(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:  # noqa: ARG002
        return None


def with_names(actions: QuerySet[StaffAction]) -> QuerySet[StaffAction]:
    """Adds the names of actors and targets; the log has only ids, and the name of an erased player is gone."""
    names = {
        f"{field}_name": Subquery(Player.objects.filter(pk=OuterRef(field)).values("name")[:1])
        for field in ("by", "target")
    }
    return actions.annotate(**names)


def with_game_names(actions: Iterable[Any]) -> Iterable[Any]:
    """Adds the names of the players of a game that is a target."""
    games = {action.target for action in actions if action.kind == "game"}
    names = extensions.current().game_names(games) if games else {}
    for action in actions:
        action.target_name = names.get(action.target, "") if action.kind == "game" else action.target_name
    return actions


def staff_activity(target: UUID, limit: int) -> list[StaffAction]:
    """The newest actions on one game or player, labelled for display."""
    actions: list[Any] = list(with_names(StaffAction.objects.filter(target=target)).order_by("-pk")[:limit])
    for action in actions:
        action.is_by_operator = action.by == OPERATOR
        action.change = change_text(action) or EMPTY
        action.what = label(action.what, "deed")
    return actions


def target_name(action: Any) -> str:
    name = action.target_name or f"…{str(action.target)[-8:]}"
    return f"{label(action.kind, 'kind')} {name}"


def actor_name(action: Any) -> str:
    return text("staffaction.operator") if action.by == OPERATOR else action.by_name or str(action.by)


def change_text(action: StaffAction) -> str:
    """What was changed, before and after; of other actions their detail, such as the id of a report."""
    before, after = (json.loads(side) if side else {} for side in (action.before, action.after))
    changes = [
        f"{label(name, 'field')}: {_value(name, before.get(name))} → {_value(name, after[name])}" for name in after
    ]
    if changes:
        return "; ".join(changes)
    if action.what == "ban" and not action.detail:  # of a log that is older than the field
        return text("player.for_good")
    return label(action.detail, "role") if action.what == "give_role" else action.detail


def _value(name: str, value: Any) -> str:
    if value in (None, ""):
        return EMPTY
    if isinstance(value, bool):
        return text("word.yes" if value else "word.no")
    if str(value).startswith(f"{PERMANENT:%Y-%m-%d}"):
        return text("player.for_good")
    return label(value, name)


def _csv_row(action: Any) -> list[str]:
    return [
        *(f"{action.at:%Y-%m-%d %H:%M:%S}", label(action.what, "deed"), f"{target_name(action)} {action.target}"),
        *(action.reason, change_text(action), actor_name(action), bytes(action.hash or b"").hex()),
    ]


def _players(term: str) -> list[UUID]:
    """The player or game with this id, or the first players with such a name."""
    wanted = uuid_or_none(term)
    return [wanted] if wanted else list(name_search.search(term).values_list("pk", flat=True)[:MAX_PLAYERS_BY_NAME])
