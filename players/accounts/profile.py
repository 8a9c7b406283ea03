"""Profiles of players as the API shows them, and changes of the caller's own profile."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from players import extensions
from players.accounts import names
from players.accounts.models import Player
from players.database.refusal import RequestRefused
from players.sessions.directory import directory


def own_profile(player_id: UUID) -> dict[str, Any]:
    """The whole profile, for the player who owns it."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:  # deleted after the request was authenticated
        raise RequestRefused("not_authenticated")
    return {
        **_public_fields(player),
        "locale": player.locale or None,
        "email": player.email,
        "email_confirmed": player.email_confirmed_at is not None,
        "created_at": player.created_at,
        **{name: read(player_id) for name, read in extensions.current().profile_fields.items()},
    }


def public_profile(player_id: UUID) -> dict[str, Any]:
    player = Player.objects.filter(pk=player_id, is_active=True).first()
    if player is None:
        raise RequestRefused("not_found")
    return _public_fields(player)


def _public_fields(player: Player) -> dict[str, Any]:
    return {"id": player.pk, "name": player.name, "is_guest": player.is_guest, "is_bot": player.is_bot}


def change(player: UUID, **given: str | None) -> None:
    """Change the name or the language; the language None is that of each request."""
    changed: dict[str, str] = {}
    if name := given.get("name"):
        changed["name"] = names.validated("/name", name, names.name_error)
    if "locale" in given:
        changed["locale"] = given["locale"] or ""
    if changed and not Player.objects.filter(pk=player, is_active=True).update(**changed):
        raise RequestRefused("not_authenticated")  # deleted after the request was authenticated
    transaction.on_commit(lambda: directory.forget(player))


def locales() -> list[str]:
    """The languages that a player can choose."""
    return [code for code, _ in settings.LANGUAGES]
