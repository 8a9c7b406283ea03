"""Reports of players about other players, and their resolution by staff."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.moderation import staff_actions
from players.moderation.models import Report

REASONS = ("cheating", "abuse", "name", "deserting", "other")
MAX_TEXT_LENGTH = 500


def report(by: UUID, player: UUID, reason: str, game: UUID | None, text: str, now: datetime) -> Report:
    """Report another player who is not deleted; the reported player is not notified."""
    if by == player:
        raise RequestRefused("not_allowed")
    if not Player.objects.filter(pk=player, is_active=True).exists():
        raise RequestRefused("not_found")
    return Report.objects.create(by_id=by, player_id=player, reason=reason, game=game, text=text, created_at=now)


def resolve(report: UUID, by: UUID, resolution: str, now: datetime) -> None:
    """When two members of staff resolve a report at once, the second is refused."""
    with transaction.atomic():
        found = Report.objects.select_for_update().filter(pk=report, resolved_at=None).first()
        if found is None:
            raise RequestRefused("not_found")
        action = staff_actions.record(by, "resolve_report", "player", found.player_id, resolution, now, str(report))
        found.resolved_at, found.resolved_by, found.resolution = now, by, action.reason
        found.save(update_fields=["resolved_at", "resolved_by", "resolution"])


def export(player: UUID) -> dict[str, Any]:
    """The player's own reports and ban; reports about the player are data of those who wrote them."""
    fields = ("id", "player", "reason", "game", "text", "created_at", "resolved_at")
    banned_until = Player.objects.values_list("banned_until", flat=True).get(pk=player)
    return {
        "banned_until": banned_until,
        "reports": list(Report.objects.filter(by=player).order_by("pk").values(*fields)),
    }


def erase(player: UUID) -> None:
    """Delete reports by the player and about the player."""
    Report.objects.filter(Q(by=player) | Q(player=player)).delete()
