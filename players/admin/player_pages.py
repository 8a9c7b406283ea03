"""The list of players and the page of one player: statistics, devices, reports and staff actions."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from players.accounts import erasure
from players.accounts.models import IS_GUEST
from players.admin import timeline
from players.admin.audit_log import staff_activity
from players.admin.list_filters import ChoiceFilter, FromFilter, ToFilter
from players.admin.lists import ONE_COLOUR, column, short_time, uuid_or_none
from players.admin.read_only import ReadOnlyAdmin, staff_member
from players.admin.texts import EMPTY, label, lazy_text, text
from players.database.refusal import RequestRefused
from players.mail import email_addresses
from players.models import PlayedGame, Player
from players.moderation import roles, staff_actions, staff_sessions
from players.moderation.bans import PERMANENT
from players.ratings import statistics
from players.sessions import lifecycle
from players.social import name_search

MAX_ROWS = 20  # of each table on a page
REASON_TEMPLATES = ("name", "abuse", "cheating", "deserting", "second_account")
BAN_DAYS = ("1", "7", "30", "365", "")  # empty: permanent


KINDS: dict[str, Callable[[QuerySet[Player]], QuerySet[Player]]] = {
    "guests": lambda players: players.filter(IS_GUEST),
    "accounts": lambda players: players.filter(email__isnull=False),
    "staff": lambda players: players.filter(is_staff=True),
    "banned": lambda players: players.filter(banned_until__gt=timezone.now()),
}


class PlayerKindFilter(ChoiceFilter):
    title, parameter_name, values, table = lazy_text("player.kind"), "kind", tuple(KINDS), "player"

    def filtered(self, queryset: QuerySet[Player], choice: str) -> QuerySet[Player]:
        return KINDS[choice](queryset)


class PlayerAdmin(ReadOnlyAdmin):
    template = "players/player.html"
    staff_actions = {
        "note": "players.ban_player",
        "rename": "players.ban_player",
        "ban": "players.ban_player",
        "lift_ban": "players.ban_player",
        "log_out": "players.revoke_session",
        "end_session": "players.revoke_session",
        "erase": "players.erase_player",
        "give_role": "players.give_role",
    }
    sensitive = ("erase", "give_role")
    list_display = ("display_name", "badges", "address", "ban_end", "registered", "player_id")
    list_filter = (PlayerKindFilter, FromFilter, ToFilter)
    ordering = ("-id",)
    search_fields = ("name",)
    search_help_text = lazy_text("player.search")

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        term = search_term.strip()
        wanted = uuid_or_none(term)
        if wanted:
            return queryset.filter(pk=wanted), False
        if "@" in term:
            return queryset.filter(email=email_addresses.normalize(term)), False
        return (queryset & name_search.search(term) if term else queryset), False

    @column("player.name")
    def display_name(self, player: Player) -> str:
        return player.name

    @column("player.id")
    def player_id(self, player: Player) -> str:
        return format_html('<span class="qx-mono" title="{}">…{}</span>', player.id, str(player.id)[-8:])

    @column("player.email")
    def address(self, player: Player) -> str:
        return player.email or EMPTY

    @column("player.kind", badges=ONE_COLOUR)
    def badges(self, player: Player) -> list[str]:
        kinds = {
            "erased": player.erased_at is not None,
            "guest": player.is_guest and player.erased_at is None,
            "bot": player.is_bot,
            "member": player.is_staff,
        }
        return [text(f"player.{kind}") for kind, has in kinds.items() if has] or [text("player.account")]

    @column("player.banned_until")
    def ban_end(self, player: Player) -> str:
        until = banned_until(player)
        return text("player.for_good") if until == PERMANENT else short_time(until) or EMPTY

    @column("player.since", "id")
    def registered(self, player: Player) -> str | None:
        return short_time(player.created_at)

    def page_context(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:
        player = Player.objects.filter(pk=pk).first()
        if player is None:
            return None
        until, current_roles = banned_until(player), [group.name for group in player.groups.all()]
        played = list(PlayedGame.objects.filter(player=pk).order_by("-ended_at")[:MAX_ROWS])
        reports = list(player.reports.select_related("by").order_by("-pk")[:MAX_ROWS])
        actions = staff_activity(pk, MAX_ROWS)
        return {
            "title": player.name,
            "player": player,
            "current_roles": current_roles,
            "role": text("role.superuser") if player.is_superuser else label(next(iter(current_roles), "none"), "role"),
            "roles": roles.ROLES,
            "banned_until": until,
            "is_permanent": until == PERMANENT,
            "ban_lengths": [
                (days, text("term.days", int(days)) if days else text("player.for_good")) for days in BAN_DAYS
            ],
            "devices": lifecycle.active_sessions(pk)[:MAX_ROWS],
            "stats": statistics.stats(pk),
            "played": played,
            "reports": reports,
            "timeline": timeline.timeline(pk, played, reports, actions, MAX_ROWS),
            "opponents": timeline.opponents(pk) if request.user.has_perm("players.ban_player") else [],
            "irreversible": ("erase",),
            "reasons": [text(f"template.{name}") for name in REASON_TEMPLATES],
            "staff_sessions": staff_sessions.active(timezone.now()).filter(player=pk).order_by("-pk")[:MAX_ROWS],
            "staff_activity": actions,
        }

    def perform(self, request: HttpRequest, pk: UUID, action: str) -> str:
        return ACTIONS[action](pk, request.POST.get("reason", ""), request, timezone.now())


def banned_until(player: Player) -> datetime | None:
    until = player.banned_until
    return until if until is not None and until > timezone.now() else None


def _ban(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    days = request.POST.get("days", "?")
    if days not in BAN_DAYS:
        raise RequestRefused("malformed", errors=[("/days", "not_one_of", f"one of {', '.join(BAN_DAYS)}")])
    until = now + timedelta(days=int(days)) if days else PERMANENT
    staff_actions.ban(player, until, staff_member(request).pk, reason, now)
    return text("done.ban")


def _note(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    staff_actions.note(player, staff_member(request).pk, reason, now)
    return text("done.note")


def _rename(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    staff_actions.rename(player, request.POST.get("name", ""), staff_member(request).pk, reason, now)
    return text("done.rename")


def _lift_ban(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    staff_actions.lift_ban(player, staff_member(request).pk, reason, now)
    return text("done.lift_ban")


def _log_out(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    session = uuid_or_none(request.POST.get("session", ""))
    if session is None:
        raise RequestRefused("not_found")
    staff_actions.log_out(player, session, staff_member(request).pk, reason, now)
    return text("done.log_out")


def _end_session(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    session = uuid_or_none(request.POST.get("session", ""))
    if session is None:
        raise RequestRefused("not_found")
    staff_sessions.end(player, session, staff_member(request).pk, reason, now)
    return text("done.end_session")


def _erase(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    """Writes the audit log first: erasure is irreversible and resigns from games in appends of its own."""
    if Player.objects.filter(pk=player, is_staff=True).exists():
        raise RequestRefused("not_allowed")
    staff_actions.record(staff_member(request).pk, "erase", "player", player, reason, now)
    erasure.erase(player, now)
    return text("done.erase")


def _give_role(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    roles.give(player, request.POST.get("role", ""), staff_member(request), reason, now)
    return text("done.give_role")


ACTIONS = {
    "note": _note,
    "rename": _rename,
    "ban": _ban,
    "lift_ban": _lift_ban,
    "log_out": _log_out,
    "end_session": _end_session,
    "erase": _erase,
    "give_role": _give_role,
}
