"""Sessions of staff in the admin: each ends after twelve hours, or earlier when staff end it."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from players.database.refusal import RequestRefused
from players.moderation import staff_actions
from players.moderation.models import StaffSession

LONGEST = timedelta(hours=12)
SEEN_EVERY = timedelta(minutes=1)
MAX_DEVICE_LENGTH = 200


def begin(player: UUID, device: str, now: datetime) -> UUID:
    StaffSession.objects.filter(player=player, began_at__lte=now - LONGEST).delete()
    row = StaffSession(player_id=player, device=device[:MAX_DEVICE_LENGTH], began_at=now, seen_at=now)
    row.save(force_insert=True)
    return row.pk


def is_open(session: UUID, now: datetime) -> bool:
    """Whether the session may go on; notes that it was seen."""
    found = active(now).filter(pk=session).values_list("seen_at", flat=True).first()
    if found is not None and now - found > SEEN_EVERY:
        StaffSession.objects.filter(pk=session).update(seen_at=now)
    return found is not None


def active(now: datetime) -> QuerySet[StaffSession]:
    return StaffSession.objects.filter(ended_at=None, began_at__gt=now - LONGEST)


def end(player: UUID, session: UUID, by: UUID, reason: str, now: datetime) -> None:
    """End another browser's session, or one's own."""
    with transaction.atomic():
        if not active(now).filter(pk=session, player=player).update(ended_at=now):
            raise RequestRefused("not_found")
        staff_actions.record(by, "end_session", "player", player, reason, now, str(session))


def erase(player: UUID) -> None:
    StaffSession.objects.filter(player=player).delete()


def export(player: UUID) -> list[dict[str, Any]]:
    fields = ("device", "began_at", "seen_at", "ended_at")
    return list(StaffSession.objects.filter(player=player).order_by("pk").values(*fields))
