"""The roles of staff: Django groups that a migration creates; every change of a role is recorded."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import Group
from django.db import transaction

from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.moderation import staff_actions
from players.sessions.directory import directory

ROLES = ("viewer", "moderator", "administrator")


def give(player: UUID, role: str, by: Player, reason: str, now: datetime) -> None:
    """Set one role, or none. Only a superuser changes a superuser; a role needs a confirmed address."""
    if role not in ("", *ROLES):
        raise RequestRefused("malformed", errors=[("/role", "not_one_of", f"one of {', '.join(ROLES)}")])
    with transaction.atomic():
        found = Player.objects.select_for_update().filter(pk=player, erased_at=None).first()
        if found is None:
            raise RequestRefused("not_found")
        is_confirmed = found.email is not None and (found.email_confirmed_at is not None or not role)
        if not is_confirmed or found.pk == by.pk or (found.is_superuser and not by.is_superuser):
            raise RequestRefused("not_allowed")
        former = found.groups.values_list("name", flat=True).first() or "none"
        change = staff_actions.Change({"role": former}, {"role": role or "none"})
        found.groups.set(Group.objects.filter(name=role))
        found.is_staff = bool(role) or found.is_superuser
        found.save(update_fields=["is_staff"])
        staff_actions.record(by.pk, "give_role", "player", player, reason, now, role or "none", change)
        transaction.on_commit(lambda: directory.forget(player))
