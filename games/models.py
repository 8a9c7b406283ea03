"""Django looks for models here; each package defines its own."""

from games.log.models import Game, Outage, Pulse, Receipt, Seat, Seed, Snapshot, StoredEvent
from games.matchmaking.models import Invitation, Match, Ticket

__all__ = [
    "Game",
    "Invitation",
    "Match",
    "Outage",
    "Pulse",
    "Receipt",
    "Seat",
    "Seed",
    "Snapshot",
    "StoredEvent",
    "Ticket",
]
