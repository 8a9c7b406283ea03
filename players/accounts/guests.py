"""Creation of guests: players without an address or a password."""

import secrets
from datetime import datetime

from django.db import transaction

from players.accounts import names
from players.accounts.models import Player
from players.sessions.lifecycle import NewSession, open_session


def create_guest(now: datetime, name: str | None = None, device: str = "") -> NewSession:
    """A guest, and a session for the device that asks."""
    if name is None:
        name = f"Guest {1000 + secrets.randbelow(9000)}"
    player = Player(name=names.validated("/name", name, names.name_error))
    device = names.validated("/device", device, names.device_error)
    player.set_unusable_password()
    with transaction.atomic():
        player.save(force_insert=True)
        return open_session(player, device, now)
