"""Django looks for models here; each package defines its own."""

from players.accounts.models import Erasure, Player
from players.database.models import IdempotencyKey, RegistrationKey
from players.limits.models import Attempt
from players.moderation.models import Report, StaffAction, StaffSession
from players.ratings.models import Checkpoint, Leaderboard, LeaderboardStanding, PlayedGame, RatingChange
from players.sessions.models import Session
from players.social.models import Block, Mute

__all__ = [
    "Attempt",
    "Block",
    "Checkpoint",
    "Erasure",
    "IdempotencyKey",
    "Leaderboard",
    "LeaderboardStanding",
    "Mute",
    "PlayedGame",
    "Player",
    "RatingChange",
    "RegistrationKey",
    "Report",
    "Session",
    "StaffAction",
    "StaffSession",
]
