"""All that is stored about a player, for himself to take along; no hash of a token or password is part of it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from players.database.refusal import Refused
from players.models import Player, Receipt, Session

# Filled at start-up by whoever else keeps something about players; called in a thread.
EXPORTERS: dict[str, Callable[[UUID], object]] = {}

PROFILE = ("id", "name", "email", "email_confirmed_at", "locale", "is_staff", "created_at", "last_login")
SESSION = ("id", "device", "created_at", "last_seen_at", "revoked_at")


def of(player_id: UUID) -> dict[str, Any]:
    profile = Player.objects.filter(pk=player_id, is_active=True).values(*PROFILE).first()
    if profile is None:  # deleted a moment ago
        raise Refused("not_authenticated")
    sessions = Session.objects.filter(player=player_id).order_by("pk").values(*SESSION)
    keys = Receipt.objects.filter(player=player_id).order_by("pk").values("key", "status", "at")
    return {
        "player": {**profile, "is_guest": profile["email"] is None},
        "sessions": list(sessions),
        "keys": list(keys),
        **{name: exporter(player_id) for name, exporter in EXPORTERS.items()},
    }
