"""Django looks for models here; each package defines its own."""

from games.log.models import ArchivedGame, Game, Outage, Pulse, Receipt, Seat, Seed, Snapshot, StoredEvent, Volume
from games.matchmaking.models import Invitation, Match, Ticket
from games.results.figure_models import ActiveDay, DailyFigure
from games.results.signal_models import CheatSignal

__all__ = [
    "ActiveDay",
    "ArchivedGame",
    "CheatSignal",
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
