"""The list of players and the page of one: figures, devices, reports, and what staff may do to him."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from players.accounts import erasure
from players.accounts.models import IS_GUEST
from players.admin.read_only import ReadOnlyAdmin, column, minute, staff, uuid_or_none
from players.admin.report_list import actions_taken
from players.admin.texts import later, said, worded
from players.database.refusal import RequestRefused
from players.mail import email_addresses
from players.models import PlayedGame, Player
from players.moderation import roles, staff_actions
from players.moderation.bans import PERMANENT
from players.ratings import statistics
from players.sessions import lifecycle

SHOWN = 20
TERMS = ("1", "7", "30", "365", "")  # days; none: for good


class Kind(admin.SimpleListFilter):
    title, parameter_name = later("player.kind"), "kind"
    choices_of: dict[str, Callable[[QuerySet[Player]], QuerySet[Player]]] = {
        "guests": lambda players: players.filter(IS_GUEST),
        "accounts": lambda players: players.filter(email__isnull=False),
        "staff": lambda players: players.filter(is_staff=True),
        "banned": lambda players: players.filter(banned_until__gt=timezone.now()),
    }

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        return [(name, said(f"player.{name}")) for name in self.choices_of]

    def queryset(self, request: Any, queryset: QuerySet[Player]) -> QuerySet[Player]:  # noqa: ARG002
        return self.choices_of[self.value() or ""](queryset) if self.value() in self.choices_of else queryset


class PlayerAdmin(ReadOnlyAdmin):
    template = "players/person.html"
    orders = {
        "ban": "players.ban_player",
        "lift_ban": "players.ban_player",
        "log_out": "players.revoke_session",
        "erase": "players.erase_player",
        "give_role": "players.give_role",
    }
    list_display = ("called", "identity", "address", "guest", "member", "banned", "since")
    list_filter = (Kind,)
    ordering = ("-id",)
    search_fields = ("name",)
    search_help_text = later("player.search")

    def get_search_results(self, request: Any, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:  # noqa: ARG002
        term = search_term.strip()
        wanted = uuid_or_none(term)
        if wanted:
            return queryset.filter(pk=wanted), False
        if "@" in term:
            return queryset.filter(email=email_addresses.normalize(term)), False
        return (queryset.filter(name__istartswith=term) if term else queryset), False

    @column("player.name")
    def called(self, player: Player) -> str:
        return player.name

    @column("player.id", "id")
    def identity(self, player: Player) -> UUID:
        return player.id

    @column("player.email")
    def address(self, player: Player) -> str | None:
        return player.email

    @column("player.guest")
    def guest(self, player: Player) -> bool:
        return player.email is None and player.erased_at is None

    guest.boolean = True

    @column("player.member")
    def member(self, player: Player) -> bool:
        return player.is_staff

    member.boolean = True

    @column("player.banned_until")
    def banned(self, player: Player) -> str | None:
        until = banned_until(player)
        return said("player.for_good") if until == PERMANENT else minute(until)

    @column("player.since", "id")
    def since(self, player: Player) -> str | None:
        return minute(player.created_at)

    def shown(self, request: HttpRequest, pk: UUID) -> dict[str, Any] | None:  # noqa: ARG002
        player = Player.objects.filter(pk=pk).first()
        if player is None:
            return None
        until, roles_held = banned_until(player), [group.name for group in player.groups.all()]
        return {
            "title": player.name,
            "player": player,
            "roles_held": roles_held,
            "role": said("role.superuser") if player.is_superuser else worded(next(iter(roles_held), "none"), "role"),
            "roles": roles.ROLES,
            "banned_until": until,
            "for_good": until == PERMANENT,
            "terms": [(days, said("term.days", int(days)) if days else said("player.for_good")) for days in TERMS],
            "devices": lifecycle.active_sessions(pk)[:SHOWN],
            "stats": statistics.stats(pk),
            "played": PlayedGame.objects.filter(player=pk).order_by("-ended_at")[:SHOWN],
            "reports": player.reports.select_related("by").order_by("-pk")[:SHOWN],
            "irreversible": ("erase",),
            "actions_taken": actions_taken(pk, SHOWN),
        }

    def carry_out(self, request: HttpRequest, pk: UUID, order: str) -> str:
        return ORDERS[order](pk, request.POST.get("reason", ""), request, timezone.now())


def banned_until(player: Player) -> datetime | None:
    until = player.banned_until
    return until if until is not None and until > timezone.now() else None


def _ban(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    days = request.POST.get("days", "?")
    if days not in TERMS:
        raise RequestRefused("malformed", errors=[("/days", f"one of {', '.join(TERMS)}")])
    until = now + timedelta(days=int(days)) if days else PERMANENT
    staff_actions.ban(player, until, staff(request).pk, reason, now)
    return said("done.ban")


def _lift_ban(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    staff_actions.lift_ban(player, staff(request).pk, reason, now)
    return said("done.lift_ban")


def _log_out(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    session = uuid_or_none(request.POST.get("session", ""))
    if session is None:
        raise RequestRefused("not_found")
    staff_actions.log_out(player, session, staff(request).pk, reason, now)
    return said("done.log_out")


def _erase(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    """Written down first: a deletion cannot be taken back, and says farewell to games in appends of their own."""
    if Player.objects.filter(pk=player, is_staff=True).exists():
        raise RequestRefused("not_allowed")
    staff_actions.record(staff(request).pk, "erase", "player", player, reason, now)
    erasure.erase(player, now)
    return said("done.erase")


def _give_role(player: UUID, reason: str, request: HttpRequest, now: datetime) -> str:
    roles.give(player, request.POST.get("role", ""), staff(request), reason, now)
    return said("done.give_role")


ORDERS = {"ban": _ban, "lift_ban": _lift_ban, "log_out": _log_out, "erase": _erase, "give_role": _give_role}
