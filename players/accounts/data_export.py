"""All data that is stored about a player, for the player to download, without hashes of secrets and without keys."""

from typing import Any
from uuid import UUID

from django.db.models import Q

from players import extensions
from players.accounts.models import Player
from players.database.models import IdempotencyKey, RegistrationKey
from players.database.refusal import RequestRefused
from players.moderation import reports, second_factor, staff_sessions
from players.ratings import statistics
from players.sessions.models import Session
from players.social import blocks

PROFILE = ("id", "name", "email", "email_confirmed_at", "locale", "is_staff", "created_at", "last_login", "bot_owner")
SESSION = ("id", "player", "device", "created_at", "last_seen_at", "revoked_at", "scopes", "expires_at")


def export(player_id: UUID) -> dict[str, Any]:
    profile = Player.objects.filter(pk=player_id, is_active=True).values(*PROFILE).first()
    if profile is None:  # deleted after the request was authenticated
        raise RequestRefused("not_authenticated")
    own_or_bots = Q(player=player_id) | Q(player__bot_owner=player_id)
    sessions = Session.objects.filter(own_or_bots).order_by("pk").values(*SESSION)
    keys = IdempotencyKey.objects.filter(player=player_id).order_by("pk").values("key", "status", "at")
    bots = Player.objects.filter(bot_owner=player_id, is_active=True).order_by("pk").values("id", "name", "created_at")
    return {
        "bots": list(bots),
        "player": {**profile, "is_guest": profile["email"] is None and profile.pop("bot_owner") is None},
        "sessions": list(sessions),
        "keys": list(keys),
        "registration_keys": list(RegistrationKey.objects.filter(player=player_id).values("at")),
        "results": statistics.export_results(player_id),
        "ratings": statistics.export_rating_changes(player_id),
        "moderation": reports.export(player_id),
        "second_factor": second_factor.export(player_id),
        "staff_sessions": staff_sessions.export(player_id),
        **blocks.export(player_id),
        **{name: exporter(player_id) for name, exporter in extensions.current().exporters.items()},
    }
