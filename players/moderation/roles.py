"""The roles of staff: groups of Django's, made by a migration; who gives and takes them is written down."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import Group
from django.db import transaction

from players.database.refusal import Refused
from players.models import Player
from players.moderation.moderation import ROLES, note
from players.sessions.directory import directory


def give(player: UUID, role: str, by: Player, reason: str, now: datetime) -> None:
    """One role, or none. Who is above all roles is made and unmade by his like alone; a guest cannot log in."""
    if role not in ("", *ROLES):
        raise Refused("malformed", errors=[("/role", f"one of {', '.join(ROLES)}")])
    with transaction.atomic():
        found = Player.objects.select_for_update().filter(pk=player, erased_at=None).first()
        if found is None:
            raise Refused("not_found")
        if found.email is None or found.pk == by.pk or (found.is_superuser and not by.is_superuser):
            raise Refused("not_allowed")
        found.groups.set(Group.objects.filter(name=role))
        found.is_staff = bool(role) or found.is_superuser
        found.save(update_fields=["is_staff"])
        note(by.pk, "give_role", "player", player, reason, now, role or "none")
        transaction.on_commit(lambda: directory.forget(player))
