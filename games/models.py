"""Django looks for models here; each package defines its own."""

from games.log.models import Event, Game, Outage, Pulse, Receipt, Seat, Seed, Snapshot
from games.matchmaking.models import Invitation, Match, Ticket

__all__ = ["Event", "Game", "Invitation", "Match", "Outage", "Pulse", "Receipt", "Seat", "Seed", "Snapshot", "Ticket"]
