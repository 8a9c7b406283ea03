"""Who asks, and how a player is shown to others: plain values that hold no secret."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID


class Identity(NamedTuple):
    """Whose token it is: what every request knows of its caller."""

    player: UUID
    session: UUID
    is_guest: bool
    is_staff: bool
    banned_until: datetime | None = None


class Profile(NamedTuple):
    """What everybody may see of a player."""

    id: UUID
    name: str
    is_guest: bool
    is_bot: bool = False


def nobody(player: UUID) -> Profile:
    """In place of a player who is gone."""
    return Profile(player, "Player", is_guest=False)
