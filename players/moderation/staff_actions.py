"""What members of staff do to players: bans and logouts, each recorded with its reason."""

import json
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from players.accounts import names
from players.accounts.models import Player
from players.database.refusal import RequestRefused, length_error
from players.moderation.bans import PERMANENT
from players.moderation.models import StaffAction
from players.sessions import lifecycle
from players.sessions.directory import directory

MAX_REASON_LENGTH = 500
WHAT = (
    *("pause", "resume", "abort", "void", "ban", "lift_ban", "log_out", "end_session", "erase", "give_role"),
    *("note", "rename"),
    *("resolve_report", "reset_factor"),
)
OPERATOR = UUID(int=0)  # the actor of a command that was run on the server, where no player is logged in


class Change(NamedTuple):
    """What an action changes: the same fields before and after."""

    before: dict[str, Any]
    after: dict[str, Any]


NO_CHANGE = Change({}, {})


def record(
    by: UUID,
    what: str,
    kind: str,
    target: UUID,
    reason: str,
    now: datetime,
    detail: str = "",
    change: Change = NO_CHANGE,
) -> StaffAction:
    """Append to the record of staff actions. Every action needs a reason."""
    reason = reason.strip()
    if wrong := length_error(reason, 1, MAX_REASON_LENGTH):
        raise RequestRefused("malformed", errors=[("/reason", *wrong)])
    before, after = (_as_json(side) for side in change)
    fields: dict[str, Any] = {"kind": kind, "target": target, "before": before, "after": after}
    return StaffAction.objects.create(by=by, at=now, what=what, reason=reason, detail=detail[:200], **fields)


def _as_json(side: dict[str, Any]) -> str:
    return json.dumps(side, sort_keys=True, ensure_ascii=False, default=str) if side else ""


def ban(player: UUID, until: datetime, by: UUID, reason: str, now: datetime) -> None:
    """From the commit on, requests are refused and open streams close; triggers notify all processes."""
    if until <= now:
        raise RequestRefused("malformed", errors=[("/until", "out_of_range", "a time in the future")])
    with transaction.atomic():
        found = _locked(player)
        if found.is_staff:
            raise RequestRefused("not_allowed")  # an administrator takes the role away first
        change = Change({"banned_until": found.banned_until}, {"banned_until": until})
        Player.objects.filter(pk=player).update(banned_until=until)
        detail = "" if until == PERMANENT else f"{until:%Y-%m-%d %H:%M} UTC"
        record(by, "ban", "player", player, reason, now, detail, change)
        transaction.on_commit(lambda: directory.forget(player))


def lift_ban(player: UUID, by: UUID, reason: str, now: datetime) -> None:
    with transaction.atomic():
        change = Change({"banned_until": _locked(player).banned_until}, {"banned_until": None})
        Player.objects.filter(pk=player).update(banned_until=None)
        record(by, "lift_ban", "player", player, reason, now, change=change)
        transaction.on_commit(lambda: directory.forget(player))


def note(player: UUID, by: UUID, text: str, now: datetime) -> None:
    """A note for other staff: an entry of the audit log, which is never changed."""
    with transaction.atomic():
        _locked(player)
        record(by, "note", "player", player, text, now)


def rename(player: UUID, name: str, by: UUID, reason: str, now: datetime) -> None:
    """In place of a name that offends; staff rename themselves in the app."""
    name = names.validated("/name", name, names.name_error)
    with transaction.atomic():
        found = _locked(player)
        if found.is_staff:
            raise RequestRefused("not_allowed")
        record(by, "rename", "player", player, reason, now, change=Change({"name": found.name}, {"name": name}))
        Player.objects.filter(pk=player).update(name=name)
        transaction.on_commit(lambda: directory.forget(player))


def log_out(player: UUID, session: UUID, by: UUID, reason: str, now: datetime) -> None:
    """Log one of the player's devices out."""
    with transaction.atomic():
        lifecycle.revoke(player, session, now)
        record(by, "log_out", "player", player, reason, now, str(session))


def _locked(player: UUID) -> Player:
    found = Player.objects.select_for_update(no_key=True).filter(pk=player, erased_at=None).first()
    if found is None:
        raise RequestRefused("not_found")
    return found
