"""What members of staff do to players, and what players report to them; knows no HTTP. Every deed is written down."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from players.database.refusal import Refused
from players.models import Player, Report, StaffAction
from players.sessions import sessions
from players.sessions.directory import FOR_GOOD, directory

REASONS = ("cheating", "abuse", "name", "deserting", "other")
LONGEST = 500  # characters of a reason or a report
ROLES = ("viewer", "moderator", "administrator")


def note(by: UUID, what: str, kind: str, target: UUID, reason: str, now: datetime, detail: str = "") -> StaffAction:
    """One line of the log of what staff have done. Nothing is done without a reason."""
    reason = reason.strip()
    if not 1 <= len(reason) <= LONGEST:
        raise Refused("malformed", errors=[("/reason", f"1 to {LONGEST} characters")])
    return StaffAction.objects.create(
        by=by, at=now, what=what, kind=kind, target=target, reason=reason, detail=detail[:200]
    )


def ban(player: UUID, until: datetime, by: UUID, reason: str, now: datetime) -> None:
    """From its commit on no call is answered and no stream stays open; triggers tell all processes of it."""
    if until <= now:
        raise Refused("malformed", errors=[("/until", "a time to come")])
    with transaction.atomic():
        if _locked(player).is_staff:
            raise Refused("not_allowed")  # the role is taken away first
        Player.objects.filter(pk=player).update(banned_until=until)
        note(by, "ban", "player", player, reason, now, "" if until == FOR_GOOD else f"{until:%Y-%m-%d %H:%M} UTC")
        transaction.on_commit(lambda: directory.forget(player))


def lift_ban(player: UUID, by: UUID, reason: str, now: datetime) -> None:
    with transaction.atomic():
        _locked(player)
        Player.objects.filter(pk=player).update(banned_until=None)
        note(by, "lift_ban", "player", player, reason, now)
        transaction.on_commit(lambda: directory.forget(player))


def log_out(player: UUID, session: UUID, by: UUID, reason: str, now: datetime) -> None:
    """One device of a player."""
    with transaction.atomic():
        sessions.revoke(player, session, now)
        note(by, "log_out", "player", player, reason, now, str(session))


def report(by: UUID, player: UUID, reason: str, game: UUID | None, text: str, now: datetime) -> Report:
    """Nobody reports himself, nor somebody who is gone. The other is told nothing of it."""
    if by == player:
        raise Refused("not_allowed")
    if not Player.objects.filter(pk=player, is_active=True).exists():
        raise Refused("not_found")
    return Report.objects.create(by_id=by, player_id=player, reason=reason, game=game, text=text, created_at=now)


def resolve(report: UUID, by: UUID, resolution: str, now: datetime) -> None:
    """Of two who resolve it at once, the second finds it resolved."""
    with transaction.atomic():
        found = Report.objects.select_for_update().filter(pk=report, resolved_at=None).first()
        if found is None:
            raise Refused("not_found")
        action = note(by, "resolve_report", "player", found.player_id, resolution, now, str(report))
        found.resolved_at, found.resolved_by, found.resolution = now, by, action.reason
        found.save(update_fields=["resolved_at", "resolved_by", "resolution"])


def export(player: UUID) -> dict[str, Any]:
    """What is stored about this player; who reported him is the secret of others."""
    fields = ("id", "player", "reason", "game", "text", "created_at", "resolved_at")
    banned_until = Player.objects.values_list("banned_until", flat=True).get(pk=player)
    return {
        "banned_until": banned_until,
        "reports": list(Report.objects.filter(by=player).order_by("pk").values(*fields)),
    }


def erase(player: UUID) -> None:
    """Both ways: against somebody who is gone there is nothing to be said."""
    Report.objects.filter(Q(by=player) | Q(player=player)).delete()


def _locked(player: UUID) -> Player:
    found = Player.objects.select_for_update(no_key=True).filter(pk=player, erased_at=None).first()
    if found is None:
        raise Refused("not_found")
    return found
