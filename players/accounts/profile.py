"""What a player sees of himself, with what other parts of the service add to it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from players.database.refusal import Refused
from players.models import Player

# Filled at start-up by whoever knows more of a player than this app may; called in a thread, one query each at most.
EXTRAS: dict[str, Callable[[UUID], object]] = {"games_waiting": lambda _player: 0}


def own(player_id: UUID) -> dict[str, Any]:
    """The whole profile."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:  # deleted a moment ago
        raise Refused("not_authenticated")
    extras = {name: extra(player_id) for name, extra in EXTRAS.items()}
    return {
        **public(player),
        "locale": player.locale,
        "email": player.email,
        "email_confirmed": player.email_confirmed_at is not None,
        "created_at": player.created_at,
        **extras,
    }


def public(player: Player) -> dict[str, Any]:
    """What everybody may see."""
    return {"id": player.pk, "name": player.name, "is_guest": player.email is None, "is_bot": False}


def of(player_id: UUID) -> dict[str, Any]:
    """Another player's public profile."""
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is None:
        raise Refused("not_found")
    return public(player)
