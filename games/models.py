"""Django looks for models here; each package defines its own."""

from games.log.models import ArchivedGame, Game, Outage, Pulse, Receipt, Seat, Seed, Snapshot, StoredEvent, Volume
from games.matchmaking.models import Invitation, Match, Ticket
from games.results.figure_models import ActiveDay, DailyFigure

__all__ = [
    "ActiveDay",
    "ArchivedGame",
    "DailyFigure",
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
    "Volume",
]
