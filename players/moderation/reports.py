"""Reports of players about other players, and their resolution by staff."""

from collections import Counter
from datetime import datetime, timedelta
from statistics import median
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery

from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.moderation import staff_actions
from players.moderation.models import Report

REASONS = ("cheating", "abuse", "name", "deserting", "other")
MAX_TEXT_LENGTH = 500
OUTCOMES = ("upheld", "dismissed", "duplicate")


def report(by: UUID, player: UUID, reason: str, game: UUID | None, text: str, now: datetime) -> Report:
    """Report another player who is not deleted; the reported player is not notified."""
    if by == player:
        raise RequestRefused("not_allowed")
    if not Player.objects.filter(pk=player, is_active=True).exists():
        raise RequestRefused("not_found")
    return Report.objects.create(by_id=by, player_id=player, reason=reason, game=game, text=text, created_at=now)


def resolve(report: UUID, by: UUID, outcome: str, resolution: str, now: datetime) -> None:
    """When two members of staff resolve a report at once, the second is refused."""
    if outcome not in OUTCOMES:
        raise RequestRefused("malformed", errors=[("/outcome", "not_one_of", f"one of {', '.join(OUTCOMES)}")])
    with transaction.atomic():
        found = _locked(report)
        change = staff_actions.Change({"outcome": ""}, {"outcome": outcome})
        about = (found.player_id, resolution, now, str(report), change)
        action = staff_actions.record(by, "resolve_report", "player", *about)
        found.resolved_at, found.resolved_by, found.resolution, found.outcome = now, by, action.reason, outcome
        found.save(update_fields=["resolved_at", "resolved_by", "resolution", "outcome"])


def assign(report: UUID, to: UUID | None) -> None:
    """To a member of staff, who works on it from now on, or back into the queue."""
    with transaction.atomic():
        _locked(report)
        Report.objects.filter(pk=report).update(assigned_to=to)


def _locked(report: UUID) -> Report:
    found = Report.objects.select_for_update().filter(pk=report, resolved_at=None).first()
    if found is None:
        raise RequestRefused("not_found")
    return found


class Workload(NamedTuple):
    """What one member of staff resolved in a period."""

    name: str
    outcomes: dict[str, int]
    median: timedelta  # from the report to its resolution


def workloads(since: datetime) -> list[Workload]:
    """Of everyone who resolved a report since then, the most busy first."""
    name = Subquery(Player.objects.filter(pk=OuterRef("resolved_by")).values("name")[:1])
    resolved = Report.objects.filter(resolved_at__gte=since).annotate(moderator=name)
    found: dict[str, list[tuple[str, timedelta]]] = {}
    for moderator, outcome, created, at in resolved.values_list("moderator", "outcome", "created_at", "resolved_at"):
        if at is not None:
            found.setdefault(moderator or "", []).append((outcome, at - created))
    loads = [
        Workload(
            moderator,
            Counter(outcome for outcome, _ in work),
            timedelta(seconds=median(wait.total_seconds() for _, wait in work)),
        )
        for moderator, work in found.items()
    ]
    return sorted(loads, key=lambda load: -sum(load.outcomes.values()))


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
