"""Who sends a request, and how a player is shown to other players: plain values without secrets."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID


class Identity(NamedTuple):
    """The player and the session of a token."""

    player: UUID
    session: UUID
    is_guest: bool
    is_staff: bool
    banned_until: datetime | None = None


class Profile(NamedTuple):
    """What every player may see of a player."""

    id: UUID
    name: str
    is_guest: bool
    is_bot: bool = False


def deleted_profile(player: UUID) -> Profile:
    """The profile of a deleted player."""
    return Profile(player, "Player", is_guest=False)
